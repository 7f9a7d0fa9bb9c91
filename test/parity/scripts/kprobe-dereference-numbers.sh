for line in 'p vfs_read +99999999999999999999($arg1)' 'p vfs_read +0ab1($arg1)' 'p vfs_read +u(  $arg1)' 'p vfs_read +0x($arg1)' 'p vfs_read +08($arg1)' 'p vfs_read -9223372036854775809($arg1)'; do echo "$line" >> kprobe_events; echo rc=$?; done
cat kprobe_events
cat error_log
