echo 0 > snapshot
echo 1 > tracing_on
cat snapshot
stat -c '%A %n' snapshot per_cpu/cpu0/snapshot per_cpu/cpu0/snapshot_raw
echo a > trace_marker
echo 1 > snapshot; echo rc=$?
grep -c tracing_mark_write trace
grep -o 'tracing_mark_write: .*' snapshot
grep '^#' snapshot
echo b > trace_marker
echo 1 > snapshot; echo rc=$?
grep -o 'tracing_mark_write: .*' trace
grep -o 'tracing_mark_write: .*' snapshot
echo 2 > snapshot; echo rc=$?
cat snapshot
grep -o 'tracing_mark_write: .*' trace
echo 1 >> snapshot; echo rc=$?
grep -o 'tracing_mark_write: .*' snapshot
echo 0 > snapshot; echo rc=$?
cat snapshot
grep -c tracing_mark_write trace
