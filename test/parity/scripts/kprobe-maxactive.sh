for line in 'p5 vfs_read' 'r1a vfs_read' 'r0 vfs_read' 'r4097 vfs_read' 'r99999999999999999999 vfs_read' 'p5: vfs_read' 'r-1:neg vfs_open' 'r4096:big vfs_read' 'r0x10:hex vfs_write'; do echo "$line" >> kprobe_events; echo rc=$?; done
cat kprobe_events
cat error_log
