echo 'p:x vfs_read' >> dynamic_events
for line in '!' '!x' '-:' '!p' '-:/' '!:x' '-:nosuch' '!p:nosuch'; do echo "$line" >> dynamic_events; echo rc=$?; done
cat dynamic_events
cat error_log
