for line in 'p vfs_read $stack:string' 'p vfs_read $stack0:string' 'p vfs_read x=$stack2:ustring' 'p vfs_read \1:symstr' 'p vfs_read +0($arg1):strin'; do echo "$line" >> kprobe_events; echo rc=$?; done
cat kprobe_events
cat error_log
