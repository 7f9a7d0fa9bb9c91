for line in 'p:a vfs_read a=$arg1 b=$arg2' 'p:b vfs_read _a1=$arg1' 'p:c vfs_read $arg1 arg3=$arg1 $arg2' 'p:d vfs_read nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn=$arg1'; do echo "$line" >> kprobe_events; echo rc=$?; done
cat kprobe_events
cat error_log
