# each write adds its pids; one without any changes nothing
cat set_event_pid
echo 1 > set_event_pid; echo $?
echo 100 50 7 >> set_event_pid; echo $?
echo 7 7 >> set_event_pid
cat set_event_pid
echo 5 4 3 > set_event_pid
cat set_event_pid
{ printf '8 9'; printf 10; } >> set_event_pid
cat set_event_pid
echo >> set_event_pid; echo $?
cat set_event_pid
echo 0x10 010 +3 0 4294967297 > set_event_pid; echo $?
cat set_event_pid
