cat options/func_stack_trace options/func-no-repeats options/stacktrace
echo 1 > options/func_stack_trace; echo rc=$?
echo 1 > options/func-no-repeats; echo rc=$?
echo 1 > options/stacktrace; echo rc=$?
cat options/func_stack_trace options/func-no-repeats options/stacktrace
echo vfs_rmdir > set_ftrace_filter
echo function > current_tracer
grep func trace_options
echo nofunc_stack_trace > trace_options; echo rc=$?
echo nofunc-no-repeats > trace_options; echo rc=$?
grep func trace_options
echo nop > current_tracer
echo func_stack_trace > trace_options; echo rc=$?
echo nostacktrace > trace_options; echo rc=$?
cat options/func_stack_trace options/stacktrace
