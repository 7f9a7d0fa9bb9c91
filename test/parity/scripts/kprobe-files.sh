echo 'p:g/x vfs_rmdir a=$arg1:s32' >> kprobe_events
stat -c '%A %n' events/g events/g/enable events/g/filter events/g/x events/g/x/enable events/g/x/filter events/g/x/format events/g/x/id events/g/x/trigger
cat available_events | grep 'g:x'
cat events/g/x/filter events/g/x/trigger
echo 'a == 1 && __probe_ip != 0' > events/g/x/filter; echo rc=$?
cat events/g/x/filter
echo 'b == 1' > events/g/x/filter; echo rc=$?
echo 'g:x' > set_event; echo rc=$?
cat set_event
cat events/g/x/enable
echo > set_event
echo 'traceoff if a == 3' > events/g/x/trigger; echo rc=$?
cat events/g/x/trigger
echo '!traceoff' > events/g/x/trigger; echo rc=$?
