# needs hwlat_detector/mode
cat tracing_thresh
echo hwlat > current_tracer
cat tracing_thresh
echo 500 > tracing_thresh; echo rc=$?
cat tracing_thresh
echo nop > current_tracer
cat tracing_thresh
echo hwlat > current_tracer
cat tracing_thresh
echo nop > current_tracer
echo 30 > tracing_thresh
echo hwlat > current_tracer
cat tracing_thresh
echo nop > current_tracer
cat tracing_thresh
echo 0 > tracing_thresh
echo hwlat > current_tracer
cat tracing_thresh
echo 10 > tracing_thresh
echo nop > current_tracer
