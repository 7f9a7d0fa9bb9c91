# commands stand after the functions, newest first; with a count they are others than without
echo vfs_rmdir:traceoff >> set_ftrace_filter; echo $?
cat set_ftrace_filter
echo vfs_rmdir:traceoff:3 >> set_ftrace_filter; echo $?
echo vfs_rename:traceon:5 >> set_ftrace_filter
echo vfs_rmdir:stacktrace >> set_ftrace_filter
echo vfs_rmdir:stacktrace:7 >> set_ftrace_filter
echo vfs_rename >> set_ftrace_filter
cat set_ftrace_filter
