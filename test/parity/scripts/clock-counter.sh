echo counter > trace_clock
echo 1 > tracing_on
echo hello > trace_marker
grep -c ' [0-9]*: tracing_mark_write: hello' trace
grep -c '[0-9]*\.[0-9]*: tracing_mark_write' trace
echo 1 > options/latency-format
grep -c ' [0-9]*: tracing_mark_write: hello' trace
grep -c '[0-9]us' trace
echo local > trace_clock
grep -c hello trace
