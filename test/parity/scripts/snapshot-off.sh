echo 1 > tracing_on
echo 1 > snapshot
echo 2 > snapshot
echo kept > trace_marker
echo 0 > tracing_on
echo 1 > snapshot; echo rc=$?
grep -o 'tracing_mark_write: .*' snapshot
grep -c tracing_mark_write trace
echo 1 > tracing_on
echo after > trace_marker
grep -o 'tracing_mark_write: .*' trace
echo 0 > snapshot
