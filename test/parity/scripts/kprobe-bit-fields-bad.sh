for line in 'p vfs_read $arg1:b0@0/8' 'p vfs_read $arg1:b9@0/8' 'p vfs_read $arg1:b4@5/8' 'p vfs_read $arg1:b@4/8' 'p vfs_read $arg1:b4@/8' 'p vfs_read $arg1:b4/8' 'p vfs_read $arg1:b/8' 'p vfs_read a=$arg1:b10@a/16'; do echo "$line" >> kprobe_events; echo rc=$?; done
cat kprobe_events
cat error_log
