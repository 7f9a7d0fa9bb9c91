# fresh
cat buffer_size_kb per_cpu/cpu0/buffer_size_kb
cat buffer_total_size_kb
echo vfs_read > set_ftrace_filter
echo function > current_tracer
echo nop > current_tracer
cat buffer_size_kb per_cpu/cpu0/buffer_size_kb
cat buffer_total_size_kb
