echo 'vfs_read:mod' > set_ftrace_filter; echo rc=$?
echo 'nosuch:mod' >> set_ftrace_filter; echo rc=$?
echo ':mod' >> set_ftrace_filter; echo rc=$?
echo '!nosuch:mod' >> set_ftrace_filter; echo rc=$?
cat set_ftrace_filter
echo '!vfs_read:mod' >> set_ftrace_filter; echo rc=$?
cat set_ftrace_filter
