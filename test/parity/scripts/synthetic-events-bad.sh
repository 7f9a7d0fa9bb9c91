echo x > synthetic_events; echo rc=$?
echo x >> synthetic_events; echo rc=$?
echo q:x >> synthetic_events; echo rc=$?
echo '-:nosuch' >> synthetic_events; echo rc=$?
echo '-:group/nosuch' >> synthetic_events; echo rc=$?
echo '!nosuch' >> synthetic_events; echo rc=$?
printf nosuch >> synthetic_events; echo rc=$?
cat synthetic_events
