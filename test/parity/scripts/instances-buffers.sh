echo 200 > buffer_size_kb
mkdir instances/foo
cat instances/foo/buffer_size_kb instances/foo/buffer_total_size_kb instances/foo/per_cpu/cpu0/buffer_size_kb
echo 50 > instances/foo/buffer_size_kb; echo rc=$?
cat instances/foo/buffer_size_kb buffer_size_kb
echo 20 > instances/foo/per_cpu/cpu1/buffer_size_kb; echo rc=$?
cat instances/foo/buffer_size_kb instances/foo/per_cpu/cpu1/buffer_size_kb instances/foo/buffer_total_size_kb
echo 0 > instances/foo/buffer_size_kb; echo rc=$?
rmdir instances/foo
