echo 0 > options/overwrite
echo 1 > tracing_on
echo 1 > buffer_size_kb
echo > trace
echo first > trace_marker
echo rc=$?
grep -o 'tracing_mark_write: .*' trace
