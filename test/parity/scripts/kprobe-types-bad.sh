for line in 'p vfs_read $arg1:' 'p vfs_read $arg1:y16' 'p vfs_read $arg1::u8' 'p vfs_read $arg1:U8' 'p vfs_read $arg1:u8x' 'p vfs_read x16:$arg1' 'p vfs_read $arg1:b4@4/24' 'p vfs_read $arg1:b4@4'; do echo "$line" >> kprobe_events; echo rc=$?; done
cat kprobe_events
cat error_log
