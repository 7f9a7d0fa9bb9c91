cat set_event
echo > set_event; echo rc=$?
echo ' ' > set_event; echo rc=$?
printf '' > set_event; echo rc=$?
cat set_event
