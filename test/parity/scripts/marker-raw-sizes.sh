# trace_marker_raw and trace_marker, whole and in pieces.
printf 'abc' > trace_marker_raw; echo $?
printf 'abcd' > trace_marker_raw; echo $?
printf '\001\000\000\000' > trace_marker_raw; echo $?
printf '\001\000\000\000x' > trace_marker_raw; echo $?
printf '' > trace_marker_raw; echo $?
cat trace_marker_raw; echo $?
cat trace_marker; echo $?
echo > trace_marker; echo $?
printf 'no end' > trace_marker; echo $?
mkdir instances/foo
printf '\002\000\000\000yz' > instances/foo/trace_marker_raw; echo $?
echo 0 > options/markers
printf 'abcd' > trace_marker_raw; echo $?
echo hello > trace_marker; echo $?
echo hello > instances/foo/trace_marker; echo $?
echo 0 > instances/foo/options/markers; echo $?
echo hello > instances/foo/trace_marker; echo $?
printf 'abcd' > instances/foo/trace_marker_raw; echo $?
echo 1 > options/markers
echo 0 > tracing_on
printf 'abcd' > trace_marker_raw; echo $?
echo hello > trace_marker; echo $?
echo 1 > tracing_on
rmdir instances/foo
