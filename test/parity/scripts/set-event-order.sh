# The file shows events in the order of available_events, however they were written.
grep -e ^sched: -e ^signal: -e ^task: -e ^irq: -e ^module: -e ^workqueue: -e ^printk: available_events
echo task:task_newtask signal:signal_generate module:module_load > set_event; echo $?
cat set_event
echo sched:sched_process_hang task:task_rename >> set_event
cat set_event
echo '!signal:signal_generate' >> set_event
cat set_event
echo module: >> set_event
cat set_event
