echo x > uprobe_events; echo rc=$?
echo x >> uprobe_events; echo rc=$?
echo q:x >> uprobe_events; echo rc=$?
echo '-:nosuch' >> uprobe_events; echo rc=$?
echo '-:group/nosuch' >> uprobe_events; echo rc=$?
echo '!nosuch' >> uprobe_events; echo rc=$?
printf nosuch >> uprobe_events; echo rc=$?
cat uprobe_events
