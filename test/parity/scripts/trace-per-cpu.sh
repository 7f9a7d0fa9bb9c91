echo 1 > tracing_on
echo one > trace_marker
grep -c '#P:2' per_cpu/cpu0/trace
grep -h -o 'tracing_mark_write: .*' per_cpu/cpu0/trace per_cpu/cpu1/trace
echo > per_cpu/cpu0/trace
echo > per_cpu/cpu1/trace
grep -c tracing_mark_write trace
