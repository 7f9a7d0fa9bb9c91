echo vfs_read > set_ftrace_filter
echo function_graph > current_tracer
echo 1 > options/latency-format
cat trace
echo 1 > options/verbose
cat trace
