for v in 1 2 3 0 0 2 -1 x 1x 01 0x1 4294967297 18446744073709551616; do echo $v > snapshot; echo $? $v; done
echo 0 > snapshot
for v in 1 0 2 x; do echo $v > per_cpu/cpu0/snapshot; echo $? $v; done
cat per_cpu/cpu0/snapshot
echo 1 > snapshot
cat per_cpu/cpu0/snapshot
echo 0 > tracing_on
echo 1 > snapshot
echo $?
echo 1 > tracing_on
echo 0 > snapshot
echo 'vfs_open:snapshot' > set_ftrace_filter
grep Snapshot snapshot
echo 0 > snapshot
grep Snapshot snapshot
echo '!vfs_open:snapshot' > set_ftrace_filter
