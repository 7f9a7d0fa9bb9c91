for line in 'p:a vfs_read $arg1:u8 $arg1:u16 $arg1:u32 $arg1:u64' 'p:b vfs_read $arg1:s8 $arg1:s16 $arg1:s32 $arg1:s64' 'p:c vfs_read $arg1:x8 $arg1:x16 $arg1:x32 $arg1:x64' 'p:d vfs_read $arg1:symbol $arg1:symstr' 'p:e vfs_read +0($arg1):string +0($arg1):ustring' 'p:f vfs_read $arg1:b4@0/8 $arg1:b1@63/64' 'p:g vfs_read $arg1:b0x4@0x4/0x8'; do echo "$line" >> kprobe_events; echo rc=$?; done
cat kprobe_events
cat error_log
