# needs hwlat_detector/mode
echo schedule > set_ftrace_filter
for tracer in irqsoff wakeup wakeup_rt wakeup_dl; do echo $tracer > current_tracer; cat trace; cat per_cpu/cpu0/trace; done
echo irqsoff > current_tracer
echo 1 > options/verbose
cat trace
echo 0 > options/verbose
echo 0 > options/latency-format
cat trace
echo > trace; echo rc=$?
cat trace
echo nop > current_tracer
cat trace
