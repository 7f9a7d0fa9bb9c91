# The format files, but for the numbers of the events.
for e in irq/irq_handler_entry irq/softirq_entry module/module_load module/module_put module/module_request printk/console signal/signal_generate signal/signal_deliver task/task_rename workqueue/workqueue_queue_work; do grep -v ID: events/$e/format; done
for e in sched_switch sched_wakeup sched_process_fork sched_process_exec sched_stat_runtime sched_pi_setprio; do grep -v ID: events/sched/$e/format; done
cat events/module/module_load/hist; echo $?
