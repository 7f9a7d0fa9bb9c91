for line in 'p vfs_read a=' 'p vfs_read &1' 'p vfs_read ($arg1)' 'p vfs_read !a' 'p vfs_read a=*b' 'p vfs_read +1234567(+1234567(+1234567(+1234567(+1234567(+1234567(@1234))))))' 'p vfs_read a=^1' 'p vfs_read a=~'; do echo "$line" >> kprobe_events; echo rc=$?; done
cat kprobe_events
cat error_log
