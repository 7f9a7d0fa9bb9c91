for line in 'p:sched/sched_switch vfs_read' 'p:module/module_load vfs_read a=$arg1' 'r:sched/sched_wakeup vfs_read' 'p:sched/mine vfs_read' 'p:ftrace/mine vfs_read'; do echo "$line" >> kprobe_events; echo rc=$?; done
cat kprobe_events
cat error_log
