cat kprobe_events
echo > kprobe_events; echo rc=$?
echo '   ' > kprobe_events; echo rc=$?
echo '# a comment' >> kprobe_events; echo rc=$?
printf '\n\n' >> kprobe_events; echo rc=$?
cat kprobe_events
