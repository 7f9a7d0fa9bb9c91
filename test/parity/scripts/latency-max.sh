# needs hwlat_detector/mode
echo schedule > set_ftrace_filter
cat tracing_max_latency
echo irqsoff > current_tracer; echo rc=$?
cat tracing_max_latency
echo 77 > tracing_max_latency; echo rc=$?
cat tracing_max_latency
echo abc > tracing_max_latency; echo rc=$?
echo -1 > tracing_max_latency; echo rc=$?
echo 0x10 > tracing_max_latency; echo rc=$?
echo > tracing_max_latency; echo rc=$?
echo 99999999999999999999999 > tracing_max_latency; echo rc=$?
cat tracing_max_latency
echo 1234567890 > tracing_max_latency; echo rc=$?
cat tracing_max_latency
echo nop > current_tracer
cat tracing_max_latency
echo wakeup > current_tracer
cat tracing_max_latency
stat -c '%A %n' tracing_max_latency
