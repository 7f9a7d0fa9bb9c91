echo 1 > tracing_on
mkdir instances/foo
echo here > trace_marker
echo there > instances/foo/trace_marker; echo rc=$?
grep -o 'tracing_mark_write: .*' trace
grep -o 'tracing_mark_write: .*' instances/foo/trace
echo > instances/foo/trace
grep -c tracing_mark_write trace
grep -c tracing_mark_write instances/foo/trace
echo 0 > tracing_on
echo on > instances/foo/trace_marker; echo rc=$?
echo off > trace_marker; echo rc=$?
grep -o 'tracing_mark_write: .*' instances/foo/trace
echo mono > instances/foo/trace_clock; echo rc=$?
grep -o '\[mono\]' instances/foo/trace_clock
grep -c '\[mono\]' trace_clock
cat instances/foo/trace
rmdir instances/foo
