echo vfs_read > set_ftrace_filter
echo function > current_tracer
cat trace
echo 0 > options/irq-info
cat trace
echo 1 > options/record-tgid
cat trace
echo 1 > options/irq-info
cat trace
