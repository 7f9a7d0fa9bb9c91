# func_stack_trace, printed in every style
echo 0 > tracing_on
echo 'vfs_open' > set_ftrace_filter
echo 1 > options/func_stack_trace
echo function > current_tracer
echo > trace
echo 1 > tracing_on
cat README > /dev/null
echo 0 > tracing_on
show
show sym-offset
show sym-addr
show raw
show hex
show bin
show verbose
show nocontext-info
show latency-format
material '^(vfs_|path_|do_|__x64_|entry_|ksys_|bprm_|exec_|kernel_|load_|open_|search_|__do_|call_|ret_)'
