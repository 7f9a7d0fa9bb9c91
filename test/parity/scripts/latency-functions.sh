# needs hwlat_detector/mode
echo schedule > set_ftrace_filter
echo 1 > tracing_on
echo 1000000 > tracing_thresh
echo irqsoff > current_tracer
cat enabled_functions | grep -c schedule
echo 0 > options/function-trace; echo rc=$?
cat enabled_functions
echo 1 > options/function-trace; echo rc=$?
cat enabled_functions | grep -c schedule
echo nop > current_tracer
cat enabled_functions
cat tracing_thresh
