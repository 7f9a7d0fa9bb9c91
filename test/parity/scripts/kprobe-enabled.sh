echo 'p:x vfs_rmdir a=$arg1' > kprobe_events
echo 1 > events/kprobes/x/enable; echo rc=$?
cat events/kprobes/x/enable
echo 'p:x vfs_rename a=$arg1' >> kprobe_events; echo rc=$?
echo '-:x vfs_rmdir' >> kprobe_events; echo rc=$?
cat kprobe_events
echo '-:x' >> kprobe_events; echo rc=$?
echo > kprobe_events; echo rc=$?
echo > dynamic_events; echo rc=$?
echo 0 > events/kprobes/x/enable
echo > kprobe_events; echo rc=$?
cat kprobe_events
cat events/kprobes/x/enable
