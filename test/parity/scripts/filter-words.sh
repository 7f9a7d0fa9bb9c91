echo 'vfs_read vfs_write  schedule' > set_ftrace_filter; echo rc=$?
cat set_ftrace_filter
echo '!vfs_write' >> set_ftrace_filter; echo rc=$?
cat set_ftrace_filter
echo '!vfs_open' >> set_ftrace_filter; echo rc=$?
echo '!vfs_read !schedule' >> set_ftrace_filter; echo rc=$?
cat set_ftrace_filter
