echo 'p:g/x vfs_rmdir' >> kprobe_events
echo 'p:g/y vfs_rename' >> kprobe_events
cat events/g/enable
echo 1 > events/g/enable; echo rc=$?
cat events/g/enable events/g/x/enable events/g/y/enable
echo '-:g/' >> kprobe_events; echo rc=$?
echo 0 > events/g/enable
echo '-:g/' >> kprobe_events; echo rc=$?
cat kprobe_events
cat events/g/enable
