for line in 'p vfs_read \x' 'p vfs_read \' 'p vfs_read \08' 'p vfs_read \99999999999999999999' 'p vfs_read \--1' 'p vfs_read \1x' 'p vfs_read \"abcd' 'p vfs_read a=\"'; do echo "$line" >> kprobe_events; echo rc=$?; done
cat kprobe_events
cat error_log
