{ printf vfs_; printf read; } > set_ftrace_filter; echo rc=$?
cat set_ftrace_filter
{ printf 'vfs_read '; printf vfs_write; } > set_ftrace_filter; echo rc=$?
cat set_ftrace_filter
printf vfs_ > set_ftrace_filter; echo rc=$?
cat set_ftrace_filter
printf vfs_read > set_ftrace_filter; echo rc=$?
cat set_ftrace_filter
printf '' > set_ftrace_filter; echo rc=$?
cat set_ftrace_filter
{ printf 'vfs_read\n'; printf 'vfs_write\nschedule\n'; } > set_ftrace_filter; echo rc=$?
cat set_ftrace_filter
