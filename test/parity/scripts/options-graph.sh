echo vfs_read > set_ftrace_filter
echo function_graph > current_tracer
grep -v -e graph-time -e retval -e args trace_options
echo nofuncgraph-cpu > trace_options; echo rc=$?
cat options/funcgraph-cpu
echo nop > current_tracer
cat options/funcgraph-cpu
echo funcgraph-cpu > trace_options; echo rc=$?
echo 1 > options/funcgraph-cpu; echo rc=$?
cat options/funcgraph-cpu
