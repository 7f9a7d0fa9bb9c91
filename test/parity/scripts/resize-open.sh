# A size is refused while trace is open, also the one that the buffers have; one cpu may be given its own again.
echo 100 > buffer_size_kb
exec 5< trace
echo 100 > buffer_size_kb
echo $?
echo 200 > buffer_size_kb
echo 100 > per_cpu/cpu0/buffer_size_kb
echo $?
echo 200 > per_cpu/cpu0/buffer_size_kb
cat buffer_size_kb
exec 5<&-
exec 5< per_cpu/cpu0/trace
echo 100 > buffer_size_kb
echo 200 > per_cpu/cpu1/buffer_size_kb
echo $?
echo 100 > per_cpu/cpu1/buffer_size_kb
exec 5<&-
echo 1 > snapshot
exec 5< snapshot
echo 200 > buffer_size_kb
cat buffer_size_kb
exec 5<&-
echo 0 > snapshot
exec 5< snapshot
echo 200 > buffer_size_kb
cat buffer_size_kb
exec 5<&-
echo 1408 > buffer_size_kb
