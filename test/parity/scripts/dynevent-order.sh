echo 'p:a vfs_read' >> dynamic_events
echo 's:syn int a' >> dynamic_events
echo 'p:u /bin/sh:0x10' >> dynamic_events
echo 'e:e sched/sched_switch' >> dynamic_events
echo 'p:a vfs_write' >> dynamic_events
echo 'r10:r vfs_open $retval' >> kprobe_events
echo 'other u64 lat' >> synthetic_events
cat dynamic_events
cat kprobe_events
cat uprobe_events
cat synthetic_events
echo '-:syn' >> dynamic_events; echo rc=$?
echo '!p:a vfs_read' >> dynamic_events; echo rc=$?
echo '!s:other u64 lat' >> dynamic_events; echo rc=$?
cat dynamic_events
echo > kprobe_events; echo rc=$?
cat dynamic_events
echo > uprobe_events; echo rc=$?
cat dynamic_events
