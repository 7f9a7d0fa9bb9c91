echo 1 > tracing_on
echo 1 > snapshot
echo one > trace_marker
echo 300 > buffer_size_kb
cat buffer_size_kb
echo 1 > snapshot; echo rc=$?
cat buffer_size_kb
grep -o 'tracing_mark_write: .*' snapshot
echo two > trace_marker
echo 50 > buffer_size_kb
echo 1 > snapshot; echo rc=$?
cat buffer_size_kb
grep -o 'tracing_mark_write: .*' snapshot
grep -o 'tracing_mark_write: .*' trace
echo 0 > snapshot
