for line in 'p vfs_read%return' 'p:z vfs_read+0%return' 'r:y vfs_read%return' 'p vfs_read%hoge' 'p vfs_read%' 'p vfs_read%returns' 'r vfs_read+5' 'p vfs_read+5%return'; do echo "$line" >> kprobe_events; echo rc=$?; done
cat kprobe_events
cat error_log
