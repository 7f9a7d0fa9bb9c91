for line in 'px vfs_read' 'rx:foo vfs_write' 'x vfs_read' 'p' 'r' 'p:y' 'P vfs_read' 'pp:z vfs_open'; do echo "$line" >> kprobe_events; echo rc=$?; done
cat kprobe_events
cat error_log
