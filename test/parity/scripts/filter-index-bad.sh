echo 0 > set_ftrace_filter; echo rc=$?
echo 99999999 > set_ftrace_filter; echo rc=$?
cat set_ftrace_filter
