echo 1 > tracing_on
printf 'abcd' > trace_marker_raw; echo rc=$?
printf 'abcdefgh' > trace_marker_raw; echo rc=$?
printf '\001\000\000\000hello' > trace_marker_raw; echo rc=$?
grep -o '# [0-9a-f]* buf:' trace
grep -o 'buf: 65 66 67 68' trace
grep -o 'buf: 68 65 6c 6c 6f' trace
echo 1 > options/raw
grep -o '# [0-9a-f]* buf:' trace
echo 0 > options/raw
echo 1 > options/hex
grep -c 'type: 18' trace
