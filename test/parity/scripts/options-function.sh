echo vfs_read > set_ftrace_filter
echo function > current_tracer
grep func trace_options
grep test_nop trace_options; echo rc=$?
