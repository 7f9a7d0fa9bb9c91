# needs hwlat_detector/mode
echo schedule > set_ftrace_filter
echo 1 > options/latency-format; echo rc=$?
echo irqsoff > current_tracer; echo rc=$?
echo 0 > options/latency-format; echo rc=$?
echo function > current_tracer; echo rc=$?
cat options/latency-format options/pause-on-trace options/overwrite
