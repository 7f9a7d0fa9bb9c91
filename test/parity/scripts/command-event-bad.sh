echo vfs_rmdir:enable_event >> set_ftrace_filter; echo $?
echo vfs_rmdir:enable_event: >> set_ftrace_filter; echo $?
echo vfs_rmdir:enable_event:sched >> set_ftrace_filter; echo $?
echo vfs_rmdir:enable_event:no:no >> set_ftrace_filter; echo $?
echo vfs_rmdir:enable_event:sched:no >> set_ftrace_filter; echo $?
echo vfs_rmdir:enable_event:sched:sched_switch:abc >> set_ftrace_filter; echo $?
echo vfs_rmdir:enable_event:sched:sched_switch: >> set_ftrace_filter; echo $?
echo vfs_rmdir:enable_event:ftrace:function >> set_ftrace_filter; echo $?
echo '!vfs_rmdir:enable_event:no:no' >> set_ftrace_filter; echo $?
echo '!vfs_rmdir:enable_event:sched:sched_switch' >> set_ftrace_filter; echo $?
cat set_ftrace_filter
