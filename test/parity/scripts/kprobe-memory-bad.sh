for line in 'p vfs_read @12345678abcde' 'p vfs_read @0x' 'p vfs_read @+10' 'p vfs_read @nosuch' 'p vfs_read @' 'p vfs_read @+' 'p vfs_read a=@99999999999999999999' 'p vfs_read +0(@+1)'; do echo "$line" >> kprobe_events; echo rc=$?; done
cat kprobe_events
cat error_log
