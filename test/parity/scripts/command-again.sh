# what a function has already is refused, and stays as it is
echo vfs_rmdir:traceoff:3 >> set_ftrace_filter
echo vfs_rmdir:traceoff:9 >> set_ftrace_filter; echo $?
echo vfs_rmdir:traceoff >> set_ftrace_filter; echo $?
echo vfs_rmdir:traceoff >> set_ftrace_filter; echo $?
cat set_ftrace_filter
