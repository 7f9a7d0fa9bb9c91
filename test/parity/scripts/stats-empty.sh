echo > trace
grep -v -e ts: per_cpu/cpu0/stats
echo 1 > tracing_on
echo one > trace_marker
echo 0 > tracing_on
grep -h -e entries per_cpu/cpu0/stats per_cpu/cpu1/stats | sort
