for line in 'p vfs_read $retval $none' 'p nosuch $retval' 'p:1a nosuch' 'p:1a vfs_read $none' 'p5 nosuch' 'p:1a vfs_read+5%hoge' 'p:x vfs_read $arg1:y8 a='; do echo "$line" >> kprobe_events; echo rc=$?; done
cat kprobe_events
cat error_log
