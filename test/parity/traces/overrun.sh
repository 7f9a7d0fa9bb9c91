# function in a buffer too small: what `trace` says of what it lost
echo 0 > tracing_on
echo 1 > buffer_size_kb
echo 'vfs_open do_dentry_open security_file_open' > set_ftrace_filter
echo function > current_tracer
echo 1 > tracing_on
for i in $(seq 300); do : < /script.sh; done &
for i in $(seq 300); do : < /script.sh; done
wait
echo 0 > tracing_on
show
show noannotate
show latency-format
show noannotate latency-format
material '^(vfs_open|do_dentry_open|security_file_open|do_open|path_openat)$'
