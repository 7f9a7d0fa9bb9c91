echo ':mod:nosuchmodule' > set_ftrace_filter; echo rc=$?
cat set_ftrace_filter
echo 'a*:mod:nosuchmodule' >> set_ftrace_filter; echo rc=$?
cat set_ftrace_filter
echo '!a*:mod:nosuchmodule' >> set_ftrace_filter; echo rc=$?
cat set_ftrace_filter
echo 'vfs_read:mod' > set_ftrace_filter; echo rc=$?
cat set_ftrace_filter
echo vfs_write >> set_ftrace_filter; echo rc=$?
echo 'b*:mod:nosuchmodule' >> set_ftrace_filter; echo rc=$?
cat set_ftrace_filter
echo > set_ftrace_filter
cat set_ftrace_filter
