# What cannot be done while a file is open for reading.
echo vfs_rmdir > set_ftrace_filter
echo 1408 > buffer_size_kb
exec 5< trace_pipe
echo function > current_tracer
echo "$? function current_tracer"
echo nop > current_tracer
echo "$? nop current_tracer"
echo mono > trace_clock
echo "$? mono trace_clock"
echo global > trace_clock
echo "$? global trace_clock"
echo 200 > buffer_size_kb
echo "$? 200 buffer_size_kb"
echo 100 > per_cpu/cpu0/buffer_size_kb
echo "$? 100 per_cpu/cpu0/buffer_size_kb"
echo 100 > per_cpu/cpu1/buffer_size_kb
echo "$? 100 per_cpu/cpu1/buffer_size_kb"
echo 1 > snapshot
echo "$? 1 snapshot"
echo 0 > snapshot
echo "$? 0 snapshot"
echo 0 > options/overwrite
echo "$? 0 options/overwrite"
echo 1 > options/overwrite
echo "$? 1 options/overwrite"
echo 1408 > buffer_size_kb
echo "$? 1408 buffer_size_kb"
exec 5<&-
echo nop > current_tracer
exec 5< per_cpu/cpu0/trace_pipe
echo function > current_tracer
echo "$? function current_tracer"
echo nop > current_tracer
echo "$? nop current_tracer"
echo mono > trace_clock
echo "$? mono trace_clock"
echo global > trace_clock
echo "$? global trace_clock"
echo 200 > buffer_size_kb
echo "$? 200 buffer_size_kb"
echo 100 > per_cpu/cpu0/buffer_size_kb
echo "$? 100 per_cpu/cpu0/buffer_size_kb"
echo 100 > per_cpu/cpu1/buffer_size_kb
echo "$? 100 per_cpu/cpu1/buffer_size_kb"
echo 1 > snapshot
echo "$? 1 snapshot"
echo 0 > snapshot
echo "$? 0 snapshot"
echo 0 > options/overwrite
echo "$? 0 options/overwrite"
echo 1 > options/overwrite
echo "$? 1 options/overwrite"
echo 1408 > buffer_size_kb
echo "$? 1408 buffer_size_kb"
exec 5<&-
echo nop > current_tracer
exec 5< per_cpu/cpu0/trace_pipe_raw
echo function > current_tracer
echo "$? function current_tracer"
echo nop > current_tracer
echo "$? nop current_tracer"
echo mono > trace_clock
echo "$? mono trace_clock"
echo global > trace_clock
echo "$? global trace_clock"
echo 200 > buffer_size_kb
echo "$? 200 buffer_size_kb"
echo 100 > per_cpu/cpu0/buffer_size_kb
echo "$? 100 per_cpu/cpu0/buffer_size_kb"
echo 100 > per_cpu/cpu1/buffer_size_kb
echo "$? 100 per_cpu/cpu1/buffer_size_kb"
echo 1 > snapshot
echo "$? 1 snapshot"
echo 0 > snapshot
echo "$? 0 snapshot"
echo 0 > options/overwrite
echo "$? 0 options/overwrite"
echo 1 > options/overwrite
echo "$? 1 options/overwrite"
echo 1408 > buffer_size_kb
echo "$? 1408 buffer_size_kb"
exec 5<&-
echo nop > current_tracer
exec 5< per_cpu/cpu0/snapshot_raw
echo function > current_tracer
echo "$? function current_tracer"
echo nop > current_tracer
echo "$? nop current_tracer"
echo mono > trace_clock
echo "$? mono trace_clock"
echo global > trace_clock
echo "$? global trace_clock"
echo 200 > buffer_size_kb
echo "$? 200 buffer_size_kb"
echo 100 > per_cpu/cpu0/buffer_size_kb
echo "$? 100 per_cpu/cpu0/buffer_size_kb"
echo 100 > per_cpu/cpu1/buffer_size_kb
echo "$? 100 per_cpu/cpu1/buffer_size_kb"
echo 1 > snapshot
echo "$? 1 snapshot"
echo 0 > snapshot
echo "$? 0 snapshot"
echo 0 > options/overwrite
echo "$? 0 options/overwrite"
echo 1 > options/overwrite
echo "$? 1 options/overwrite"
echo 1408 > buffer_size_kb
echo "$? 1408 buffer_size_kb"
exec 5<&-
echo nop > current_tracer
exec 5< trace
echo function > current_tracer
echo "$? function current_tracer"
echo nop > current_tracer
echo "$? nop current_tracer"
echo mono > trace_clock
echo "$? mono trace_clock"
echo global > trace_clock
echo "$? global trace_clock"
echo 200 > buffer_size_kb
echo "$? 200 buffer_size_kb"
echo 100 > per_cpu/cpu0/buffer_size_kb
echo "$? 100 per_cpu/cpu0/buffer_size_kb"
echo 100 > per_cpu/cpu1/buffer_size_kb
echo "$? 100 per_cpu/cpu1/buffer_size_kb"
echo 1 > snapshot
echo "$? 1 snapshot"
echo 0 > snapshot
echo "$? 0 snapshot"
echo 0 > options/overwrite
echo "$? 0 options/overwrite"
echo 1 > options/overwrite
echo "$? 1 options/overwrite"
echo 1408 > buffer_size_kb
echo "$? 1408 buffer_size_kb"
exec 5<&-
echo nop > current_tracer
exec 5< per_cpu/cpu0/trace
echo function > current_tracer
echo "$? function current_tracer"
echo nop > current_tracer
echo "$? nop current_tracer"
echo mono > trace_clock
echo "$? mono trace_clock"
echo global > trace_clock
echo "$? global trace_clock"
echo 200 > buffer_size_kb
echo "$? 200 buffer_size_kb"
echo 100 > per_cpu/cpu0/buffer_size_kb
echo "$? 100 per_cpu/cpu0/buffer_size_kb"
echo 100 > per_cpu/cpu1/buffer_size_kb
echo "$? 100 per_cpu/cpu1/buffer_size_kb"
echo 1 > snapshot
echo "$? 1 snapshot"
echo 0 > snapshot
echo "$? 0 snapshot"
echo 0 > options/overwrite
echo "$? 0 options/overwrite"
echo 1 > options/overwrite
echo "$? 1 options/overwrite"
echo 1408 > buffer_size_kb
echo "$? 1408 buffer_size_kb"
exec 5<&-
echo nop > current_tracer
exec 5< snapshot
echo function > current_tracer
echo "$? function current_tracer"
echo nop > current_tracer
echo "$? nop current_tracer"
echo mono > trace_clock
echo "$? mono trace_clock"
echo global > trace_clock
echo "$? global trace_clock"
echo 200 > buffer_size_kb
echo "$? 200 buffer_size_kb"
echo 100 > per_cpu/cpu0/buffer_size_kb
echo "$? 100 per_cpu/cpu0/buffer_size_kb"
echo 100 > per_cpu/cpu1/buffer_size_kb
echo "$? 100 per_cpu/cpu1/buffer_size_kb"
echo 1 > snapshot
echo "$? 1 snapshot"
echo 0 > snapshot
echo "$? 0 snapshot"
echo 0 > options/overwrite
echo "$? 0 options/overwrite"
echo 1 > options/overwrite
echo "$? 1 options/overwrite"
echo 1408 > buffer_size_kb
echo "$? 1408 buffer_size_kb"
exec 5<&-
echo nop > current_tracer
mkdir instances/open
exec 5< instances/open/trace_pipe
echo function > current_tracer
echo $?
echo nop > current_tracer
exec 5<&-
rmdir instances/open
echo > set_ftrace_filter
