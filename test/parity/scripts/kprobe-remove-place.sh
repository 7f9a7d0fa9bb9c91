echo 'p:a vfs_read x=$arg1 y=$arg2:u8' >> kprobe_events
echo 'p:a vfs_write x=$arg1 y=$arg2:u8' >> kprobe_events
echo 'p:g/a vfs_read+5' >> kprobe_events
echo 'r10:g/b vfs_open' >> kprobe_events
for line in '-:a vfs_open' '-:a vfs_read+0' '-:a vfs_write' '-:g/a vfs_read+0x5' '-:g/a vfs_read' '-:g/a vfs_read+5'; do echo "$line" >> kprobe_events; echo rc=$?; done
cat kprobe_events dynamic_events
cat error_log
