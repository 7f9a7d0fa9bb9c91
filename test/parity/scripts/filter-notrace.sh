cat set_ftrace_notrace
echo 'vfs_read vfs_write' > set_ftrace_notrace; echo rc=$?
cat set_ftrace_notrace
echo '!vfs_read' >> set_ftrace_notrace; echo rc=$?
cat set_ftrace_notrace
echo nosuchfn >> set_ftrace_notrace; echo rc=$?
echo > set_ftrace_notrace
cat set_ftrace_notrace
