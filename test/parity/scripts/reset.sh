echo 0 > tracing_on
echo nop > current_tracer
echo > set_ftrace_filter
echo > set_ftrace_notrace
echo > set_graph_function
echo > set_graph_notrace
echo 0 > max_graph_depth
echo 0 > tracing_thresh
echo global > trace_clock
for option in irq-info print-parent context-info annotate overwrite funcgraph-cpu funcgraph-overhead funcgraph-duration funcgraph-irqs sleep-time trace_printk record-cmd markers hash-ptr function-trace; do echo 1 > options/$option; done
for option in sym-offset sym-addr verbose raw hex bin block latency-format record-tgid printk-msg-only disable_on_free pause-on-trace funcgraph-overrun funcgraph-proc funcgraph-abstime funcgraph-tail test_nop_accept stacktrace func_stack_trace func-no-repeats; do echo 0 > options/$option; done
echo 100 > buffer_size_kb
echo 50 > buffer_percent
echo > error_log
echo > stack_trace_filter
echo > trace
for command in traceon traceoff snapshot stacktrace dump cpudump enable_event:sched:sched_switch disable_event:sched:sched_switch; do echo "!*:$command" >> set_ftrace_filter; done
for command in traceon traceoff snapshot stacktrace dump cpudump enable_event:sched:sched_switch disable_event:sched:sched_switch; do echo "!*:$command:1" >> set_ftrace_filter; done
for file in set_ftrace_pid set_ftrace_notrace_pid set_event_pid set_event_notrace_pid; do echo > $file; done
echo 0 > snapshot
echo > set_event
for system in irq module printk sched signal task workqueue; do echo 0 > events/$system/filter; done
for event in module/module_load module/module_put ftrace/print; do for trigger in traceon traceoff snapshot stacktrace enable_event:signal:signal_deliver; do echo "!$trigger" >> events/$event/trigger; done; done
for event in module/module_load module/module_put module/module_get; do printf '' > events/$event/trigger; done
echo > synthetic_events
echo > dynamic_events
