# needs function_profile_enabled
echo abc > function_profile_enabled; echo rc=$?
echo -1 > function_profile_enabled; echo rc=$?
echo > function_profile_enabled; echo rc=$?
echo '1 0' > function_profile_enabled; echo rc=$?
echo 99999999999999999999 > function_profile_enabled; echo rc=$?
cat function_profile_enabled
echo 1 > trace_stat/function0; echo rc=$?
echo 1 >> trace_stat/function1; echo rc=$?
cat trace_stat/function2
