stat -c '%A %n' README available_events available_filter_functions available_tracers buffer_percent buffer_size_kb buffer_total_size_kb current_tracer
stat -c '%A %n' dyn_ftrace_total_info dynamic_events enabled_functions error_log events free_buffer
stat -c '%A %n' instances kprobe_events kprobe_profile max_graph_depth options per_cpu printk_formats saved_cmdlines
stat -c '%A %n' saved_cmdlines_size saved_tgids set_event set_event_notrace_pid set_event_pid set_ftrace_filter set_ftrace_notrace set_ftrace_notrace_pid
stat -c '%A %n' set_ftrace_pid set_graph_function set_graph_notrace snapshot stack_max_size stack_trace stack_trace_filter synthetic_events
stat -c '%A %n' timestamp_mode trace trace_clock trace_marker trace_marker_raw trace_options trace_pipe
stat -c '%A %n' tracing_cpumask tracing_max_latency tracing_on tracing_thresh uprobe_events uprobe_profile
mkdir instances/modes
stat -c '%A %n' instances/modes/available_tracers instances/modes/buffer_percent instances/modes/buffer_size_kb instances/modes/buffer_total_size_kb instances/modes/current_tracer instances/modes/error_log instances/modes/events instances/modes/free_buffer
stat -c '%A %n' instances/modes/options instances/modes/per_cpu instances/modes/set_event instances/modes/set_event_notrace_pid instances/modes/set_event_pid instances/modes/set_ftrace_filter instances/modes/set_ftrace_notrace instances/modes/set_ftrace_notrace_pid
stat -c '%A %n' instances/modes/set_ftrace_pid instances/modes/snapshot instances/modes/timestamp_mode instances/modes/trace instances/modes/trace_clock instances/modes/trace_marker instances/modes/trace_marker_raw instances/modes/trace_options
stat -c '%A %n' instances/modes/trace_pipe instances/modes/tracing_cpumask instances/modes/tracing_max_latency instances/modes/tracing_on
rmdir instances/modes; echo rc=$?
stat -c '%A %n' per_cpu/cpu0/buffer_size_kb per_cpu/cpu0/snapshot per_cpu/cpu0/snapshot_raw per_cpu/cpu0/stats per_cpu/cpu0/trace per_cpu/cpu0/trace_pipe per_cpu/cpu0/trace_pipe_raw
