echo nosuchfn:traceoff >> set_ftrace_filter; echo $?
echo vfs_rmdir:nosuch >> set_ftrace_filter; echo $?
echo vfs_rmdir: >> set_ftrace_filter; echo $?
echo vfs_rmdir:traceoff:abc >> set_ftrace_filter; echo $?
echo vfs_rmdir:traceoff:-1 >> set_ftrace_filter; echo $?
echo vfs_rmdir:traceoff:99999999999999999999999 >> set_ftrace_filter; echo $?
echo :traceoff >> set_ftrace_filter; echo $?
echo '!vfs_rmdir:nosuch' >> set_ftrace_filter; echo $?
echo '!nosuchfn:traceoff' >> set_ftrace_filter; echo $?
echo '!:traceoff' >> set_ftrace_filter; echo $?
cat set_ftrace_filter
