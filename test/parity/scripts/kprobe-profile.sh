cat kprobe_profile
echo 'p:short vfs_rmdir' >> kprobe_events
echo 'p:nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn vfs_rmdir' >> kprobe_events
echo 'r10:ret vfs_rename' >> kprobe_events
echo 'p:short vfs_rename' >> kprobe_events
cat kprobe_profile
