printf 'function\000x' > current_tracer
cat current_tracer
printf 'nop\n\000x' > current_tracer
cat current_tracer
printf '1\000x' > options/sym-addr
cat options/sym-addr
printf '1\000\n' > tracing_on
echo $?
printf 'nosym-addr\000x' > trace_options
cat options/sym-addr
printf '2\000x' > tracing_thresh
cat tracing_thresh
printf '0\000x' > tracing_thresh
printf '\000' > max_graph_depth
printf '1\000,2' > tracing_cpumask
cat tracing_cpumask
printf '3' > tracing_cpumask
printf '\000' > tracing_cpumask
cat tracing_cpumask
printf '3' > tracing_cpumask
