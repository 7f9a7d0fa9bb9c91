echo 1 > tracing_on
mkdir instances/foo
echo mark > trace_marker; echo mark > instances/foo/trace_marker
echo 'p:x vfs_rmdir' > kprobe_events; echo '-:x' >> kprobe_events; echo rc=$?
grep -c mark trace; grep -c mark instances/foo/trace
echo 'p:x vfs_rmdir' > kprobe_events; echo 1 > events/kprobes/x/enable; echo 0 > events/kprobes/x/enable
grep -c mark trace
echo '-:x' >> kprobe_events; echo rc=$?
grep -c mark trace; grep -c mark instances/foo/trace
echo mark > trace_marker
echo 's:syn int a' > dynamic_events; echo 1 > events/synthetic/syn/enable; echo 0 > events/synthetic/syn/enable; echo > dynamic_events; echo rc=$?
grep -c mark trace
rmdir instances/foo
