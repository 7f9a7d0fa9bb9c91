echo vfs_read > set_ftrace_filter
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
