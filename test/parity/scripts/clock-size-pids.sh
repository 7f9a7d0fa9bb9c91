# Files that take one word, in an instance.
mkdir instances/foo
for c in local global counter uptime perf mono boot nosuch '' 'global x' ' global'; do echo "$c" > instances/foo/trace_clock; echo "$c $?"; done
for s in 1 4 5 100 0 x -1 ''; do echo "$s" > instances/foo/buffer_size_kb; echo "$s $?"; cat instances/foo/buffer_size_kb; done
for s in 8 0 x; do echo "$s" > instances/foo/per_cpu/cpu0/buffer_size_kb; echo "$s $?"; cat instances/foo/per_cpu/cpu0/buffer_size_kb instances/foo/buffer_size_kb; done
for p in 0 1 100 101 -1 x; do echo "$p" > instances/foo/buffer_percent; echo "$p $?"; cat instances/foo/buffer_percent buffer_percent; done
for v in 0 1 2 x; do echo "$v" > instances/foo/tracing_on; echo "$v $?"; cat instances/foo/tracing_on tracing_on; done
for v in 0 5 x; do echo "$v" > instances/foo/free_buffer; echo "$v $?"; cat instances/foo/buffer_size_kb; done
cat instances/foo/set_event instances/foo/trace_clock | grep -c .
for e in sched:sched_switch module module: :module_put '*:module_get' nosuch '!module' '' '!sched:sched_switch'; do echo "$e" >> instances/foo/set_event; echo "$e $?"; cat instances/foo/set_event; done
rmdir instances/foo; echo $?
