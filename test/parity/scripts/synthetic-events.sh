cat synthetic_events
echo > synthetic_events; echo rc=$?
echo '   ' > synthetic_events; echo rc=$?
echo '# a comment' >> synthetic_events; echo rc=$?
printf '\n\n' >> synthetic_events; echo rc=$?
cat synthetic_events
