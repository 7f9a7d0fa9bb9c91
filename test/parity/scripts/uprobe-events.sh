cat uprobe_events
echo > uprobe_events; echo rc=$?
echo '   ' > uprobe_events; echo rc=$?
echo '# a comment' >> uprobe_events; echo rc=$?
printf '\n\n' >> uprobe_events; echo rc=$?
cat uprobe_events
