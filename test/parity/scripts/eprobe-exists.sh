for line in 'e:x sched/sched_switch a=$prev_pid' 'e:x sched/sched_switch a=$prev_pid' 'e:x sched/sched_wakeup' 'e:sched/sched_switch sched/sched_switch' 'p:eprobes/x vfs_read' 'e:y eprobes/x' 'e:z ftrace/function' 'r:eprobes/x vfs_read'; do echo "$line" >> dynamic_events; echo rc=$?; done
cat dynamic_events
cat error_log
