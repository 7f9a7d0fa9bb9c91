cat buffer_size_kb
echo 200 > buffer_size_kb; echo rc=$?
cat buffer_size_kb per_cpu/cpu0/buffer_size_kb per_cpu/cpu1/buffer_size_kb buffer_total_size_kb
echo 1 > buffer_size_kb; echo rc=$?
cat buffer_size_kb buffer_total_size_kb
echo 300 > per_cpu/cpu1/buffer_size_kb; echo rc=$?
cat buffer_size_kb per_cpu/cpu0/buffer_size_kb per_cpu/cpu1/buffer_size_kb buffer_total_size_kb
echo 100 > buffer_size_kb; echo rc=$?
cat buffer_size_kb per_cpu/cpu0/buffer_size_kb per_cpu/cpu1/buffer_size_kb buffer_total_size_kb
