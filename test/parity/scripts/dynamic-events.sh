cat dynamic_events
echo > dynamic_events; echo rc=$?
echo '   ' > dynamic_events; echo rc=$?
echo '# a comment' >> dynamic_events; echo rc=$?
printf '\n\n' >> dynamic_events; echo rc=$?
cat dynamic_events
