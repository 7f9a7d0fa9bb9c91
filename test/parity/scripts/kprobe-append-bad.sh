for line in 'p:x vfs_read a=$arg1:u8' 'r:x vfs_read a=$retval:u8' 'p:x vfs_write' 'p:x vfs_write a=$arg1:s8' 'p:x vfs_write b=$arg1:u8' 'p:x vfs_read a=$arg1:u8' 'p:x vfs_write a=$arg1:u8 b=\1' 'p:x vfs_write a=+0($arg1):u8[1]'; do echo "$line" >> kprobe_events; echo rc=$?; done
cat kprobe_events
cat error_log
