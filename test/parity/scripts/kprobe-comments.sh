for line in 'p:a vfs_read#x' 'p:b# vfs_read' '#p:c vfs_read' ' p:d vfs_read a=$arg1 # b=$arg2'; do echo "$line" >> kprobe_events; echo rc=$?; done
cat kprobe_events
cat error_log
