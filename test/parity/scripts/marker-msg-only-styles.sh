echo 1 > options/printk-msg-only
echo a > trace_marker
printf b > trace_marker
printf 'c\n\n' > trace_marker
printf '\n' > trace_marker
grep -v -e '#' trace
echo 1 > options/raw
grep -v -e '#' trace
echo 0 > options/raw
echo 1 > options/hex
grep -v -e '#' trace
echo 0 > options/hex
echo 1 > options/bin
grep -v -e '#' trace
echo 0 > options/bin
echo 0 > options/trace_printk
grep -o tracing_mark.* trace
echo 1 > options/trace_printk
echo 0 > options/printk-msg-only
