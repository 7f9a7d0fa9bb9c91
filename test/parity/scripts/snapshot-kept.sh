# What becomes of a snapshot when something else changes.
echo vfs_rmdir > set_ftrace_filter
echo one > trace_marker
echo 1 > snapshot
echo two > trace_marker
echo function > current_tracer
grep -o tracing_mark.* snapshot
grep -o tracing_mark.* trace
echo three > trace_marker
echo 1 > snapshot
echo nop > current_tracer
grep -o tracing_mark.* snapshot
echo four > trace_marker
echo 1 > snapshot
echo counter > trace_clock
grep -c tracing_mark snapshot
echo global > trace_clock
echo five > trace_marker
echo 1 > snapshot
echo 200 > buffer_size_kb
grep -o tracing_mark.* snapshot
echo six > trace_marker
echo 1 > snapshot
grep -o tracing_mark.* snapshot
grep -o tracing_mark.* trace
echo seven > trace_marker
echo > trace
grep -o tracing_mark.* snapshot
echo 2 > snapshot
grep -c tracing_mark snapshot
echo eight > trace_marker
echo 0 > options/overwrite
echo 1 > snapshot
echo 1 > options/overwrite
grep -o tracing_mark.* snapshot
echo 0 > snapshot
echo 1408 > buffer_size_kb
echo > set_ftrace_filter
