# one word that is no pid refuses its whole write
echo 9 > set_ftrace_pid
echo 1 abc 2 >> set_ftrace_pid; echo $?
echo !1 >> set_ftrace_pid; echo $?
echo 1,2 >> set_ftrace_pid; echo $?
echo -5 >> set_ftrace_pid; echo $?
echo 99999999999 >> set_ftrace_pid; echo $?
echo 1073741824 >> set_ftrace_pid; echo $?
echo 99999999999999999999999 >> set_ftrace_pid; echo $?
cat set_ftrace_pid
echo abc > set_ftrace_pid; echo $?
cat set_ftrace_pid
