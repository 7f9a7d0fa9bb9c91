# a count may be octal or hexadecimal, 0, or missing behind its colon
echo vfs_rmdir:traceoff: >> set_ftrace_filter; echo $?
echo vfs_rename:traceoff:0x10 >> set_ftrace_filter; echo $?
echo vfs_rename:traceon:010 >> set_ftrace_filter; echo $?
echo vfs_rmdir:snapshot:0 >> set_ftrace_filter; echo $?
echo vfs_rename:stacktrace:3:4 >> set_ftrace_filter; echo $?
echo vfs_rmdir:stacktrace:9999999999 >> set_ftrace_filter; echo $?
echo vfs_rmdir:traceon:18446744073709551615 >> set_ftrace_filter; echo $?
cat set_ftrace_filter | sort
