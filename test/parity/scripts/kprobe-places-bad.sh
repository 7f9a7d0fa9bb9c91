for line in 'p nosuch' 'p hoge-fuga' 'p hoge+1000-1000' 'p vfs_read-5' 'p vfs_read+-5' 'p vfs_read+99999999999999999999' 'p vfs_read+0x7fffffff0' 'p vfs_read+x'; do echo "$line" >> kprobe_events; echo rc=$?; done
cat kprobe_events
cat error_log
