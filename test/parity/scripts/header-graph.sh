echo vfs_read > set_ftrace_filter
echo function_graph > current_tracer
cat trace
cat per_cpu/cpu1/trace
