# needs function_profile_enabled
cat function_profile_enabled
echo vfs_rmdir > set_ftrace_filter
echo 1 > function_profile_enabled; echo rc=$?
cat function_profile_enabled
echo 1 > function_profile_enabled; echo rc=$?
echo 2 > function_profile_enabled; echo rc=$?
cat function_profile_enabled
echo +0 > function_profile_enabled; echo rc=$?
cat function_profile_enabled
printf 7 > function_profile_enabled; echo rc=$?
cat function_profile_enabled
echo 0 > function_profile_enabled; echo rc=$?
cat function_profile_enabled
