# With a list the events that keep it are not shown as enabled.
echo 1 > set_event_pid
cat events/enable events/sched/enable events/sched/sched_switch/enable set_event
echo module:module_load > set_event
cat set_event
echo > set_event_pid
cat set_event events/sched/sched_switch/enable
