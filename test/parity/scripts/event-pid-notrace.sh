# set_event_notrace_pid takes and shows the same texts; the two lists know nothing of each other.
cat set_event_notrace_pid
echo 5 3 > set_event_notrace_pid; echo $?
cat set_event_notrace_pid set_event_pid
echo 5 > set_event_pid; echo $?
cat set_event_notrace_pid set_event_pid
echo 9 >> set_event_notrace_pid
cat set_event_notrace_pid
echo x >> set_event_notrace_pid; echo $?
printf '7\0008' >> set_event_notrace_pid; echo $?
cat set_event_notrace_pid
echo > set_event_notrace_pid
cat set_event_notrace_pid set_event_pid
echo > set_event_pid
cat set_event_pid
