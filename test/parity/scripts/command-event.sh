# all events share one command
echo vfs_rmdir:enable_event:sched:sched_switch:0 >> set_ftrace_filter; echo $?
echo vfs_rmdir:enable_event:sched:sched_switch:2 >> set_ftrace_filter; echo $?
echo vfs_rmdir:enable_event:sched:sched_wakeup:2 >> set_ftrace_filter; echo $?
echo vfs_rmdir:disable_event:sched:sched_wakeup >> set_ftrace_filter; echo $?
cat set_ftrace_filter
echo '!vfs_rmdir:enable_event:sched:sched_switch' >> set_ftrace_filter; echo $?
echo '!vfs_rmdir:enable_event:sched:sched_switch:9' >> set_ftrace_filter; echo $?
echo '!vfs_rmdir:disable_event:sched:sched_switch' >> set_ftrace_filter; echo $?
cat set_ftrace_filter
