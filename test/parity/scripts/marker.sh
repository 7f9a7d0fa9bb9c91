echo 1 > tracing_on
echo hello > trace_marker; echo rc=$?
printf 'no newline' > trace_marker; echo rc=$?
printf 'two\nlines' > trace_marker; echo rc=$?
grep -c tracing_mark_write trace
grep -o 'tracing_mark_write: .*' trace
cat trace_marker; echo rc=$?
echo 0 > options/markers; echo rc=$?
echo unseen > trace_marker; echo rc=$?
grep -c unseen trace
