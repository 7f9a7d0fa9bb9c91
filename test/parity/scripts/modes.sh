stat -c '%A %n' README available_filter_functions available_tracers buffer_size_kb buffer_total_size_kb current_tracer
stat -c '%A %n' dyn_ftrace_total_info enabled_functions error_log max_graph_depth printk_formats saved_cmdlines saved_tgids
stat -c '%A %n' set_ftrace_filter set_ftrace_notrace set_graph_function set_graph_notrace
stat -c '%A %n' trace trace_clock trace_marker trace_options trace_pipe tracing_on tracing_thresh
stat -c '%A %n' options options/irq-info events events/header_page events/header_event events/ftrace events/ftrace/function events/ftrace/function/format events/ftrace/function/id
stat -c '%A %n' per_cpu per_cpu/cpu0 per_cpu/cpu0/buffer_size_kb per_cpu/cpu0/stats per_cpu/cpu0/trace per_cpu/cpu0/trace_pipe per_cpu/cpu0/trace_pipe_raw
