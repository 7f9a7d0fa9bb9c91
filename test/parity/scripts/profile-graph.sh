# needs function_profile_enabled
echo vfs_rmdir > set_ftrace_filter
echo function_graph > current_tracer; echo rc=$?
echo 1 > function_profile_enabled; echo rc=$?
cat function_profile_enabled
echo nop > current_tracer
echo 1 > function_profile_enabled; echo rc=$?
echo function_graph > current_tracer; echo rc=$?
cat current_tracer
echo 0 > function_profile_enabled
echo function_graph > current_tracer; echo rc=$?
cat current_tracer
