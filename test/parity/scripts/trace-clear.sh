echo 1 > tracing_on
echo one > trace_marker
grep -o 'tracing_mark_write: .*' trace
echo anything >> trace; echo rc=$?
grep -o 'tracing_mark_write: .*' trace
echo anything > trace; echo rc=$?
grep -c tracing_mark_write trace
echo two > trace_marker
printf '' > trace; echo rc=$?
grep -c tracing_mark_write trace
