echo 0 > buffer_size_kb; echo rc=$?
echo abc > buffer_size_kb; echo rc=$?
echo > buffer_size_kb; echo rc=$?
echo -1 > buffer_size_kb; echo rc=$?
echo 0 > per_cpu/cpu0/buffer_size_kb; echo rc=$?
echo 5 > buffer_total_size_kb; echo rc=$?
cat buffer_size_kb
