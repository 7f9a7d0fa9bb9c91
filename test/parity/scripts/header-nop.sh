cat trace
cat per_cpu/cpu0/trace
cat current_tracer
