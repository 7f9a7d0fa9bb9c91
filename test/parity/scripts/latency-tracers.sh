# needs hwlat_detector/mode
echo 0 > options/function-trace
grep -o 'hwlat .*' available_tracers
for tracer in irqsoff preemptoff preemptirqsoff wakeup wakeup_rt wakeup_dl hwlat; do echo $tracer > current_tracer; echo rc=$?; cat current_tracer; done
echo irqsof > current_tracer; echo rc=$?
cat current_tracer
