for line in 'p vfs_read $stack:u8[2]' 'p vfs_read $stack0:string[2]' 'p vfs_read \1:u8[2]' 'p vfs_read +0($arg1):u8[2]:x' 'p vfs_read +0($arg1):[2]' 'p vfs_read +0($arg1):u8]2[' 'p:ok vfs_read +0($arg1):u8[0x40] +0($arg1):b2@2/8[3]'; do echo "$line" >> kprobe_events; echo rc=$?; done
cat kprobe_events
cat error_log
