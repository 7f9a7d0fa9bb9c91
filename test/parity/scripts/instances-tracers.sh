echo 1 > tracing_on
echo vfs_rmdir > set_ftrace_filter
mkdir instances/foo
cat instances/foo/available_tracers instances/foo/current_tracer
echo vfs_rename > instances/foo/set_ftrace_filter; echo rc=$?
cat instances/foo/set_ftrace_filter set_ftrace_filter instances/foo/set_ftrace_notrace
echo function > instances/foo/current_tracer; echo rc=$?
cat instances/foo/current_tracer current_tracer
echo function_graph > instances/foo/current_tracer; echo rc=$?
echo nosuch > instances/foo/current_tracer; echo rc=$?
cat instances/foo/current_tracer
cat instances/foo/trace_options
echo 0 > instances/foo/tracing_on; echo rc=$?
cat instances/foo/tracing_on tracing_on
echo nosuch > instances/foo/set_ftrace_filter; echo rc=$?
rmdir instances/foo; echo rc=$?
cat current_tracer
