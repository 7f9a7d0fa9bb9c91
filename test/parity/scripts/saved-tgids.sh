echo 1 > tracing_on
echo hello > trace_marker
grep -c . saved_tgids
echo 1 > options/record-tgid; echo rc=$?
cat options/record-tgid
echo 0 > options/record-tgid; echo rc=$?
