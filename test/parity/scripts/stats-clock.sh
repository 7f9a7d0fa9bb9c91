echo counter > trace_clock
grep -c 'now ts: [0-9]*$' per_cpu/cpu1/stats
echo local > trace_clock
grep -c 'now ts: *[0-9]*\.[0-9]*$' per_cpu/cpu1/stats
