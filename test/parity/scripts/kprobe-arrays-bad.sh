for line in 'p vfs_read +0($arg1):u8[10' 'p vfs_read +0($arg1):u8[10]a' 'p vfs_read +0($arg1):u8[10a]' 'p vfs_read +0($arg1):u8[]' 'p vfs_read +0($arg1):u8[0]' 'p vfs_read +0($arg1):u8[65]' 'p vfs_read +0($arg1):u8[99999999999]' 'p vfs_read a=+0($arg1):y8[2]'; do echo "$line" >> kprobe_events; echo rc=$?; done
cat kprobe_events
cat error_log
