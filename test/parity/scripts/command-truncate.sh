# a command holds at once, and stays when the filter goes
echo vfs_rmdir > set_ftrace_filter
{ echo vfs_rename:traceoff; printf vfs_rename; } > set_ftrace_filter
cat set_ftrace_filter
echo > set_ftrace_filter
cat set_ftrace_filter
