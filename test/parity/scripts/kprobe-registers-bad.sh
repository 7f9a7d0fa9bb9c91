for line in 'p vfs_read %none' 'p vfs_read %' 'p vfs_read a=%ex:u8' 'p vfs_read +0(%none)' 'p vfs_read -8(+0(%none))' 'p vfs_read +u0(%none)'; do echo "$line" >> kprobe_events; echo rc=$?; done
cat kprobe_events
cat error_log
