for line in 'p vfs_read $retval' 'p vfs_read $arg0' 'p vfs_read $arg2049' 'p vfs_read $arg' 'p vfs_read $arg1x' 'p vfs_read $none' 'p vfs_read $stackp' 'p vfs_read $stack2049'; do echo "$line" >> kprobe_events; echo rc=$?; done
cat kprobe_events
cat error_log
