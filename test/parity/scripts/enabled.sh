cat enabled_functions
echo 'vfs_read vfs_write' > set_ftrace_filter
cat enabled_functions
echo 1 > tracing_on
echo function > current_tracer
grep -o '^vfs_[a-z]* ([0-9]*)' enabled_functions
echo '!vfs_write' >> set_ftrace_filter
grep -o '^vfs_[a-z]* ([0-9]*)' enabled_functions
echo vfs_read > set_ftrace_notrace
grep -o '^vfs_[a-z]* ([0-9]*)' enabled_functions
echo nop > current_tracer
cat enabled_functions
