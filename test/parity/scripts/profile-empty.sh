# needs function_profile_enabled
echo vfs_rmdir > set_ftrace_filter
cat trace_stat/function1
echo 1 > function_profile_enabled
cat trace_stat/function0
echo 0 > function_profile_enabled
cat trace_stat/function0
stat -c '%A %n' function_profile_enabled trace_stat trace_stat/function0 trace_stat/function1
