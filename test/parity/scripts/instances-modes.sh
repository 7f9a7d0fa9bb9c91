mkdir instances/foo
stat -c '%A %n' instances/foo/available_tracers instances/foo/buffer_size_kb instances/foo/buffer_total_size_kb instances/foo/current_tracer
stat -c '%A %n' instances/foo/error_log instances/foo/events instances/foo/options instances/foo/per_cpu instances/foo/per_cpu/cpu1/trace_pipe_raw
stat -c '%A %n' instances/foo/set_ftrace_filter instances/foo/set_ftrace_notrace instances/foo/trace instances/foo/trace_clock instances/foo/trace_marker
stat -c '%A %n' instances/foo/trace_options instances/foo/trace_pipe instances/foo/tracing_on
cat instances/foo/README; echo rc=$?
cat instances/foo/set_graph_function; echo rc=$?
cat instances/foo/max_graph_depth; echo rc=$?
cat instances/foo/saved_cmdlines; echo rc=$?
cat instances/foo/enabled_functions; echo rc=$?
cat instances/foo/instances; echo rc=$?
cat instances/foo/tracing_thresh; echo rc=$?
rmdir instances/foo
