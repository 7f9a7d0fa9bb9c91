echo vfs_read > set_ftrace_filter
grep -o -e function_graph -e function -e nop available_tracers
echo function > current_tracer; echo rc=$?
cat current_tracer
echo function_graph > current_tracer; echo rc=$?
cat current_tracer
printf nop > current_tracer; echo rc=$?
cat current_tracer
echo '  function' > current_tracer; echo rc=$?
cat current_tracer
echo 'function   ' > current_tracer; echo rc=$?
cat current_tracer
