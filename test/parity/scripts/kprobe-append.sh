for line in 'p:x vfs_read a=$arg1' 'p:x vfs_write a=$arg1' 'p:x vfs_open a=$arg2' 'p:x vfs_read a=$arg2'; do echo "$line" >> kprobe_events; echo rc=$?; done
cat kprobe_events
cat error_log
cat kprobe_profile
grep a events/kprobes/x/filter
