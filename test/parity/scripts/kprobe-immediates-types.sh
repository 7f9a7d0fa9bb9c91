for line in 'p:a vfs_read \1:u8 \1:s64 \1:x32' 'p:b vfs_read \1:string' 'p:c vfs_read \"x":string' 'p:d vfs_read \1:b4@0/8' 'p:e vfs_read \1:symbol' 'p:f vfs_read \1:u8[2]' 'p:g vfs_read \1:symstr' 'p:h vfs_read $stack:symstr'; do echo "$line" >> kprobe_events; echo rc=$?; done
cat kprobe_events
cat error_log
