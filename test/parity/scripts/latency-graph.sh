# needs hwlat_detector/mode
echo schedule > set_ftrace_filter
echo 1 > options/display-graph; echo rc=$?
cat options/display-graph
echo irqsoff > current_tracer; echo rc=$?
cat trace
echo 0 > options/latency-format
cat trace
echo wakeup > current_tracer; echo rc=$?
cat trace
echo 0 > options/latency-format
cat trace
echo 5 > tracing_max_latency
echo 0 > options/display-graph; echo rc=$?
cat tracing_max_latency
cat trace
echo nop > current_tracer
