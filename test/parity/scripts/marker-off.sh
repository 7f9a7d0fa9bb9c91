echo 0 > tracing_on
echo unseen > trace_marker; echo rc=$?
printf '' > trace_marker; echo rc=$?
grep -c unseen trace
