echo vfs_nosuch > set_ftrace_filter
echo schedule > set_ftrace_filter
echo function_graph > current_tracer
echo nop > current_tracer
echo 1 > tracing_on
echo outside > trace_marker
grep -o 'tracing_mark_write: .*' trace
