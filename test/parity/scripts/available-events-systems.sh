# A line an event; those of tracers are not among them.
for s in irq module printk sched signal task workqueue; do grep -c ^$s: available_events; done
grep ^task: available_events
grep ^signal: available_events
grep -c -e 'task_rename ' -e '^ftrace:' available_events
echo module:module_load > available_events; echo $?
cat set_event
