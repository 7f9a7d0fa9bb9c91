echo x > kprobe_events; echo rc=$?
echo x >> kprobe_events; echo rc=$?
echo q:x >> kprobe_events; echo rc=$?
echo '-:nosuch' >> kprobe_events; echo rc=$?
echo '-:group/nosuch' >> kprobe_events; echo rc=$?
echo '!nosuch' >> kprobe_events; echo rc=$?
printf nosuch >> kprobe_events; echo rc=$?
cat kprobe_events
