echo 1 > tracing_on
echo hello > trace_marker
echo 1 > options/printk-msg-only
grep -v '#' trace
echo 0 > options/trace_printk
grep -o 'tracing_mark_write: .*' trace
echo 1 > options/trace_printk
echo 0 > options/printk-msg-only
echo 0 > options/context-info
grep -v '#' trace
echo 1 > options/context-info
echo 1 > options/raw
grep -o '# .* hello' trace | grep -c hello
echo 0 > options/raw
echo 1 > options/hex
grep -o 'type: .*' trace
