# fresh
echo 'vfs_read:traceoff' > stack_trace_filter; echo rc=$?
cat stack_trace_filter
