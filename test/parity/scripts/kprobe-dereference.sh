for line in 'p:a vfs_read +0($arg1)' 'p:b vfs_read -8($arg1) +0x10($arg2)' 'p:c vfs_read +u8($arg1) -u8($arg1)' 'p:d vfs_read ++8($arg1)' 'p:e vfs_read +0(+8(+16($arg1)))' 'p:f vfs_read +0(\1):string' 'p:g vfs_read +0($stack):u8 +0($stack3)' 'p:h vfs_read v=+0($arg1):u8[4]'; do echo "$line" >> kprobe_events; echo rc=$?; done
cat kprobe_events
cat error_log
