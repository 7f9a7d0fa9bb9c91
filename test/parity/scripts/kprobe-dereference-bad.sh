for line in 'p vfs_read +8$arg1' 'p vfs_read +x($arg1)' 'p vfs_read -($arg1)' 'p vfs_read +0($arg1' 'p vfs_read +0(+0($arg1' 'p vfs_read +0($comm)' 'p vfs_read +0(\"x")' 'p vfs_read +8(+8(\"x"):string'; do echo "$line" >> kprobe_events; echo rc=$?; done
cat kprobe_events
cat error_log
