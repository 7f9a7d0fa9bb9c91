echo vfs_read > set_ftrace_filter
echo function > current_tracer
echo 1 > options/verbose
cat trace
echo 0 > options/verbose
echo 1 > options/latency-format
cat trace
echo 0 > options/latency-format
echo 0 > options/context-info
cat trace
