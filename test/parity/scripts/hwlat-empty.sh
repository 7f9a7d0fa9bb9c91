# needs hwlat_detector/mode
echo hwlat > current_tracer
cat trace
cat trace_options
echo 1 > options/latency-format
cat trace
cat tracing_max_latency
echo nop > current_tracer
