# function_graph: leaves, nesting, comments, task switches, marks of every size
echo 0 > tracing_on
echo 1 > options/record-tgid
echo 'do_nanosleep hrtimer_nanosleep common_nsleep vfs_open do_dentry_open security_file_open' > set_ftrace_filter
echo function_graph > current_tracer
echo 1 > tracing_on
echo "a comment" > trace_marker
(exec 3< /etc; echo inside > trace_marker)
for t in 0.00002 0.0005 0.002 0.02 0.2 1.1; do sleep $t; done
(exec 3< /etc)
echo 0 > tracing_on
show
show funcgraph-proc
show funcgraph-abstime
show funcgraph-tail
show funcgraph-overrun
show nofuncgraph-cpu
show nofuncgraph-duration
show nofuncgraph-overhead
show nocontext-info
show latency-format
show funcgraph-proc funcgraph-abstime latency-format
show sym-addr sym-offset
show verbose
show raw
material '^(do_nanosleep|hrtimer_nanosleep|common_nsleep|vfs_open|do_dentry_open|security_file_open)$'
