# the lists do not know of each other
echo 1 2 > set_ftrace_pid
echo 2 > set_ftrace_notrace_pid
echo 3 > set_event_notrace_pid
cat set_ftrace_pid set_ftrace_notrace_pid set_event_pid set_event_notrace_pid
stat -c '%A %n' set_ftrace_pid set_ftrace_notrace_pid set_event_pid set_event_notrace_pid
