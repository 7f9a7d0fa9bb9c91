for line in 'p:a vfs_read @vfs_read' 'p:b vfs_read @vfs_read+8' 'p:c vfs_read @vfs_read-8:u8' 'p:d vfs_read +0(@vfs_read)' 'p:e vfs_read +10(@vfs_read-10)' 'p:f vfs_read @vfs_read:string' 'p:g vfs_read @vfs_read:u8[4]'; do echo "$line" >> kprobe_events; echo rc=$?; done
cat kprobe_events
cat error_log
