cat stack_trace_filter
echo 'vfs_read vfs_open' > stack_trace_filter; echo rc=$?
cat stack_trace_filter
echo 'vfs_read*' >> stack_trace_filter; echo rc=$?
cat stack_trace_filter
echo '!vfs_open' >> stack_trace_filter; echo rc=$?
cat stack_trace_filter
echo nosuchfn > stack_trace_filter; echo rc=$?
cat stack_trace_filter
echo nosuchfn:mod:foo > stack_trace_filter; echo rc=$?
echo > stack_trace_filter; echo rc=$?
cat stack_trace_filter
