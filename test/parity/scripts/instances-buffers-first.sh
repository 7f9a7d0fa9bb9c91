# fresh
mkdir instances/foo
cat buffer_size_kb buffer_total_size_kb
cat instances/foo/buffer_size_kb instances/foo/buffer_total_size_kb instances/foo/per_cpu/cpu0/buffer_size_kb
echo 10 > instances/foo/trace_marker
cat buffer_size_kb instances/foo/buffer_size_kb
