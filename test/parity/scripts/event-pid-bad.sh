# one word that is no pid refuses its whole write
echo 9 > set_event_pid
echo 1 abc 2 >> set_event_pid; echo $?
echo !1 >> set_event_pid; echo $?
echo 1,2 >> set_event_pid; echo $?
echo -5 >> set_event_pid; echo $?
echo 99999999999 >> set_event_pid; echo $?
echo 1073741824 >> set_event_pid; echo $?
echo 99999999999999999999999 >> set_event_pid; echo $?
cat set_event_pid
echo abc > set_event_pid; echo $?
cat set_event_pid
