# function: contexts and styles
echo 0 > tracing_on
echo 1 > options/record-tgid
echo 'vfs_open do_dentry_open security_file_open' > set_ftrace_filter
echo function > current_tracer
echo 1 > tracing_on
echo "a comment" > trace_marker
(exec 3< /etc; echo inside > trace_marker)
(exec 3< /etc)
echo 0 > tracing_on
echo 0 > options/record-tgid
show
show noprint-parent
show sym-offset
show sym-addr
show sym-offset sym-addr
show noirq-info
show record-tgid
show record-tgid noirq-info
show nocontext-info
show printk-msg-only
show latency-format
show latency-format verbose
show verbose
show raw
show raw nocontext-info
show hex
show hex nocontext-info
show bin
show bin nocontext-info
material '^(vfs_open|do_dentry_open|security_file_open|do_open|path_openat)$'
