# only set_ftrace_filter knows commands
echo vfs_rmdir:traceoff:5 > set_ftrace_notrace; echo $?
echo vfs_rmdir:traceoff:5 >> set_ftrace_filter
echo '!vfs_rmdir:traceoff:5' > set_ftrace_notrace; echo $?
echo vfs_rmdir:traceoff:5 > set_graph_function; echo $?
cat set_ftrace_notrace
cat set_ftrace_filter
