echo vfs_rmdir:traceoff:4 >> set_ftrace_filter
echo vfs_rename:traceoff:4 >> set_ftrace_filter
echo '!*:traceoff:' >> set_ftrace_filter; echo $?
cat set_ftrace_filter
echo vfs_rmdir:snapshot >> set_ftrace_filter
echo '!:snapshot' >> set_ftrace_filter; echo $?
cat set_ftrace_filter
