echo 1 > tracing_on
printf 'a\000b\n' > trace_marker; echo rc=$?
printf '\n' > trace_marker; echo rc=$?
printf 'after\n' > trace_marker; echo rc=$?
grep -o 'tracing_mark_write: [a-z]*' trace
