# a ! takes commands back: only those with a count when one is given, whatever it is
echo vfs_rmdir:traceoff >> set_ftrace_filter
echo vfs_rmdir:traceoff:3 >> set_ftrace_filter
echo vfs_rename:traceoff:4 >> set_ftrace_filter
echo '!vfs_rmdir:traceoff' >> set_ftrace_filter; echo $?
cat set_ftrace_filter | sort
echo '!vfs_rmdir:traceoff' >> set_ftrace_filter; echo $?
echo '!vfs_rmdir:traceoff:0' >> set_ftrace_filter; echo $?
echo '!vfs_rmdir:traceoff:0' >> set_ftrace_filter; echo $?
echo '!nosuchfn:traceoff:0' >> set_ftrace_filter; echo $?
echo '!vfs_re?ame:traceoff:abc' >> set_ftrace_filter; echo $?
cat set_ftrace_filter | sort
echo '!nosuchfn:traceoff:0' >> set_ftrace_filter; echo $?
