# func-no-repeats, printed in every style: a read of one byte, often; then an open
echo 0 > tracing_on
echo 'vfs_read vfs_open' > set_ftrace_filter
echo 1 > options/func-no-repeats
echo function > current_tracer
echo > trace
echo 1 > tracing_on
dd if=/dev/zero of=/dev/null bs=1 count=200 2> /dev/null; cat README > /dev/null
dd if=/dev/zero of=/dev/null bs=1 count=20 2> /dev/null; cat README > /dev/null
echo 0 > tracing_on
show
show noprint-parent
show sym-offset
show sym-addr
show raw
show hex
show bin
show verbose
show nocontext-info
show latency-format
material '^(vfs_|path_openat|ksys_read)'
