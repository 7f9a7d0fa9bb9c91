for line in 'p vfs_read' 'p:one vfs_read' 'p:grp/two vfs_read' 'p:grp/ vfs_write' 'p:a.b vfs_read' 'p:a-b/c vfs_read' 'p:_x vfs_read' 'p:-a/c vfs_open' 'p:A1/B2 vfs_open'; do echo "$line" >> kprobe_events; echo rc=$?; done
cat kprobe_events
cat error_log
