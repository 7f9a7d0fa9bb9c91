for line in 'r10:x vfs_read' 'r10:x vfs_read' 'r10:x vfs_write' 'p:x vfs_open' 'r20:x vfs_open'; do echo "$line" >> kprobe_events; echo rc=$?; done
cat kprobe_events
cat error_log
