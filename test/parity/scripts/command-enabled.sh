# each command is a subscriber of its own
echo vfs_rmdir:traceoff:5 >> set_ftrace_filter
grep -o 'vfs_rmdir ([0-9]*)' enabled_functions
echo vfs_rmdir:traceon:5 >> set_ftrace_filter
echo vfs_rmdir:stacktrace >> set_ftrace_filter
grep -o 'vfs_rmdir ([0-9]*)' enabled_functions
echo '!*:traceon:1' >> set_ftrace_filter
grep -o 'vfs_rmdir ([0-9]*)' enabled_functions
