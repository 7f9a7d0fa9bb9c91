echo vfs_read > set_ftrace_filter
echo 1 > tracing_on
echo one > trace_marker
grep -c tracing_mark_write trace
echo nop > current_tracer
grep -c tracing_mark_write trace
echo 0 > tracing_on
echo function > current_tracer
grep -c tracing_mark_write trace
echo nop > current_tracer
echo off > trace_marker; echo rc=$?
grep -c tracing_mark_write trace
