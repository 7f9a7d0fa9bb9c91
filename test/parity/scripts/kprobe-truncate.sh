echo 'p:a vfs_read x=$arg1 y=$arg2:u8' >> kprobe_events
echo 'p:a vfs_write x=$arg1 y=$arg2:u8' >> kprobe_events
echo 'p:g/a vfs_read+5' >> kprobe_events
echo 'r10:g/b vfs_open' >> kprobe_events
echo 's:syn int a' >> dynamic_events
echo 'p:new vfs_open' > kprobe_events; echo rc=$?
cat kprobe_events dynamic_events
printf '' > kprobe_events; echo rc=$?
cat kprobe_events dynamic_events
printf '' > dynamic_events; echo rc=$?
cat dynamic_events
