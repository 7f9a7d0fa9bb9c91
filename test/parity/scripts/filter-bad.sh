echo nosuchfn > set_ftrace_filter; echo rc=$?
cat set_ftrace_filter
echo 'vfs_read nosuchfn vfs_write' > set_ftrace_filter; echo rc=$?
cat set_ftrace_filter
echo '!nosuchfn' >> set_ftrace_filter; echo rc=$?
echo '# vfs_read' > set_ftrace_filter; echo rc=$?
echo 'vfs_read # comment' > set_ftrace_filter; echo rc=$?
cat set_ftrace_filter
echo 'schedule:nosuch' > set_ftrace_filter; echo rc=$?
echo 'schedule:' > set_ftrace_filter; echo rc=$?
echo 'schedule:no:such' > set_ftrace_filter; echo rc=$?
cat set_ftrace_filter
