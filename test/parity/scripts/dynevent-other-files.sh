echo 'p:k vfs_read' >> dynamic_events
echo 's:s int a' >> dynamic_events
echo 'e:e sched/sched_switch' >> dynamic_events
for line in '-:x' '-:k' '-:s' '-:e'; do echo "$line" >> uprobe_events; echo rc=$?; done
cat uprobe_events
cat error_log
cat dynamic_events
