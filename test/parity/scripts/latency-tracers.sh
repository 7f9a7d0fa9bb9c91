# needs hwlat_detector/mode
cat available_tracers
for tracer in irqsoff wakeup wakeup_rt wakeup_dl hwlat; do echo $tracer > current_tracer; echo rc=$?; cat current_tracer; done
echo irqsof > current_tracer; echo rc=$?
echo preemptoff > current_tracer; echo rc=$?
cat current_tracer
