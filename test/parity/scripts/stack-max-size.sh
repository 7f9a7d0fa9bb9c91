# fresh
cat stack_max_size
cat stack_trace
echo 5 > stack_max_size; echo rc=$?
cat stack_max_size
cat stack_trace
echo abc > stack_max_size; echo rc=$?
echo -1 > stack_max_size; echo rc=$?
echo > stack_max_size; echo rc=$?
echo 99999999999999999999 > stack_max_size; echo rc=$?
cat stack_max_size
echo 0 > stack_max_size; echo rc=$?
cat stack_max_size
echo x > stack_trace; echo rc=$?
stat -c '%A %n' stack_max_size stack_trace stack_trace_filter
