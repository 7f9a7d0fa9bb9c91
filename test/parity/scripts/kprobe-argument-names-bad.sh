for line in 'p vfs_read =$arg1' 'p vfs_read 1a=$arg1' 'p vfs_read a.b=$arg1' 'p vfs_read a=b=$arg1' 'p vfs_read nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn=$arg1' 'p vfs_read a=$arg1 a=$arg2' 'p vfs_read arg2=$arg1 $arg2' 'p vfs_read a-b=$arg1'; do echo "$line" >> kprobe_events; echo rc=$?; done
cat kprobe_events
cat error_log
