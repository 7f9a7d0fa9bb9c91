for line in 'p vfs_read+0' 'p vfs_read+0x5' 'p:dec vfs_read+5' 'p:oct vfs_read+05' 'p:plus vfs_read++5' 'p:mod nomod:nosuch' 'p:mod2 nomod:nosuch+12' 'p nomod:nosuch'; do echo "$line" >> kprobe_events; echo rc=$?; done
cat kprobe_events
cat error_log
