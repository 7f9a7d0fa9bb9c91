# each write adds its pids; one without any changes nothing
cat set_ftrace_pid
echo 1 > set_ftrace_pid; echo $?
echo 100 50 7 >> set_ftrace_pid; echo $?
echo 7 7 >> set_ftrace_pid
cat set_ftrace_pid
echo 5 4 3 > set_ftrace_pid
cat set_ftrace_pid
{ printf '8 9'; printf 10; } >> set_ftrace_pid
cat set_ftrace_pid
echo >> set_ftrace_pid; echo $?
cat set_ftrace_pid
echo 0x10 010 +3 0 4294967297 > set_ftrace_pid; echo $?
cat set_ftrace_pid
