echo vfs_read > set_ftrace_filter
echo nosuch > current_tracer; echo rc=$?
echo > current_tracer; echo rc=$?
echo 'function nop' > current_tracer; echo rc=$?
echo Function > current_tracer; echo rc=$?
echo x > available_tracers; echo rc=$?
cat current_tracer
