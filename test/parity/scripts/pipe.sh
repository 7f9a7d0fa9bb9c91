echo 1 > tracing_on
echo one > trace_marker
echo two > trace_marker
echo 0 > tracing_on
grep -o 'tracing_mark_write: .*' trace
grep -o 'tracing_mark_write: .*' trace_pipe
grep -c tracing_mark_write trace
