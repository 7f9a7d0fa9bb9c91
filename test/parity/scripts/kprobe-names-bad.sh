for line in 'p: vfs_read' 'p:/bar vfs_read' 'p:.bar vfs_read' 'p:1a/bar vfs_read' 'p:foo.1/bar vfs_read' 'p:foo/1bar vfs_read' 'p:a/b/c vfs_read' 'p:foo/bar-1 vfs_read'; do echo "$line" >> kprobe_events; echo rc=$?; done
cat kprobe_events
cat error_log
