echo uptime > trace_clock
echo 1 > tracing_on
echo hello > trace_marker
grep -c ' [0-9]*: tracing_mark_write: hello' trace
echo mono > trace_clock
echo hello > trace_marker
grep -c ' [0-9]*\.[0-9]*: tracing_mark_write: hello' trace
