cat error_log
echo nosuchfn > set_ftrace_filter
cat error_log
echo > error_log; echo rc=$?
printf x > error_log; echo rc=$?
cat error_log
