mkdir instances/foo
cat instances/foo/snapshot
echo x > instances/foo/trace_marker
echo 1 > instances/foo/snapshot; echo rc=$?
grep -o 'tracing_mark_write: .*' instances/foo/snapshot
grep -c tracing_mark_write instances/foo/trace
grep -c allocated snapshot
stat -c '%A %n' instances/foo/snapshot instances/foo/per_cpu/cpu0/snapshot instances/foo/per_cpu/cpu0/snapshot_raw
rmdir instances/foo; echo rc=$?
