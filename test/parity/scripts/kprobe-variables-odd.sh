for line in 'p vfs_read $' 'p vfs_read $stack-1' 'p vfs_read $stack0+10' 'p vfs_read $Comm' 'p vfs_read+5 $arg1' 'p vfs_read x=$retval' 'p vfs_read $stack99999999999999999999' 'p vfs_read $comm0'; do echo "$line" >> kprobe_events; echo rc=$?; done
cat kprobe_events
cat error_log
