echo x > dynamic_events; echo rc=$?
echo x >> dynamic_events; echo rc=$?
echo q:x >> dynamic_events; echo rc=$?
echo '-:nosuch' >> dynamic_events; echo rc=$?
echo '-:group/nosuch' >> dynamic_events; echo rc=$?
echo '!nosuch' >> dynamic_events; echo rc=$?
printf nosuch >> dynamic_events; echo rc=$?
cat dynamic_events
