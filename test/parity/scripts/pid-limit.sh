# One pid is not shown by the files of functions.
echo '5 4194303 4194304 4194305' > set_ftrace_pid
cat set_ftrace_pid
echo > set_ftrace_pid
echo 4194304 > set_ftrace_notrace_pid
cat set_ftrace_notrace_pid
echo > set_ftrace_notrace_pid
echo '5 4194304' > set_event_pid
cat set_event_pid
echo > set_event_pid
