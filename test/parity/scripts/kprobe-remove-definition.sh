echo 'p:a vfs_read x=$arg1 y=$arg2:u8' >> kprobe_events
echo 'p:a vfs_write x=$arg1 y=$arg2:u8' >> kprobe_events
echo 'p:g/a vfs_read+5' >> kprobe_events
echo 'r10:g/b vfs_open' >> kprobe_events
for line in '-:kprobes/a vfs_read x=$arg1 y=$arg2:u8' '-:g/b vfs_open' '-r:g/b vfs_open'; do echo "$line" >> kprobe_events; echo rc=$?; done
cat kprobe_events dynamic_events
cat error_log
