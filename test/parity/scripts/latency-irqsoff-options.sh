# needs hwlat_detector/mode
echo schedule > set_ftrace_filter
echo irqsoff > current_tracer; echo rc=$?
cat trace_options
echo 0 > options/overwrite; echo rc=$?
cat options/overwrite
echo nooverwrite > trace_options; echo rc=$?
echo 0 > options/latency-format; echo rc=$?
echo 0 > options/pause-on-trace; echo rc=$?
echo nop > current_tracer; echo rc=$?
cat options/latency-format options/pause-on-trace options/overwrite
