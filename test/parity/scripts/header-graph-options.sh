echo vfs_read > set_ftrace_filter
echo function_graph > current_tracer
echo 1 > options/funcgraph-proc
cat trace
echo 1 > options/funcgraph-abstime
cat trace
echo 0 > options/funcgraph-cpu
cat trace
echo 0 > options/funcgraph-duration
cat trace
echo 0 > options/context-info
cat trace
