# needs hwlat_detector/mode
echo schedule > set_ftrace_filter
echo 1 > options/pause-on-trace
echo 0 > options/overwrite; echo rc=$?
echo wakeup > current_tracer; echo rc=$?
cat trace_options
echo 0 > options/overwrite; echo rc=$?
echo wakeup_dl > current_tracer; echo rc=$?
cat options/latency-format options/pause-on-trace options/overwrite
echo 1 > options/latency-format; echo rc=$?
echo nop > current_tracer; echo rc=$?
cat options/latency-format options/pause-on-trace options/overwrite
