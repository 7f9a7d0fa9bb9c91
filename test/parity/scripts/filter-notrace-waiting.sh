echo ':mod:aaa' > set_ftrace_notrace; echo rc=$?
cat set_ftrace_notrace
echo 'vfs_read' >> set_ftrace_notrace; echo rc=$?
cat set_ftrace_notrace
echo > set_ftrace_notrace
cat set_ftrace_notrace
