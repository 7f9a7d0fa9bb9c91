for file in buffer_size_kb current_tracer max_graph_depth trace_clock tracing_on tracing_thresh trace_options buffer_percent saved_cmdlines_size; do echo > $file; echo $file rc=$?; done
for file in error_log trace set_event set_ftrace_filter set_graph_function set_graph_notrace dynamic_events kprobe_events uprobe_events synthetic_events; do echo > $file; echo $file rc=$?; done
