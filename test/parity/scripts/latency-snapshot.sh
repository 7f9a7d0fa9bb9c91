# needs hwlat_detector/mode
echo schedule > set_ftrace_filter
echo 1 > snapshot; echo rc=$?
echo irqsoff > current_tracer; echo rc=$?
cat snapshot
cat per_cpu/cpu0/snapshot
echo 1 > snapshot; echo rc=$?
echo 2 > snapshot; echo rc=$?
echo 0 > snapshot; echo rc=$?
echo wakeup > current_tracer; echo rc=$?
cat snapshot
echo nop > current_tracer; echo rc=$?
cat snapshot
