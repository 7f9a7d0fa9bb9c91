cat set_ftrace_filter
echo vfs_read > set_ftrace_filter; echo rc=$?
cat set_ftrace_filter
echo vfs_write >> set_ftrace_filter; echo rc=$?
cat set_ftrace_filter
echo schedule > set_ftrace_filter; echo rc=$?
cat set_ftrace_filter
echo > set_ftrace_filter; echo rc=$?
cat set_ftrace_filter
