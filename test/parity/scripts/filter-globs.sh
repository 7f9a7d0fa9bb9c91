echo 'vfs_re?d' > set_ftrace_filter; echo rc=$?
cat set_ftrace_filter
echo 'vfs_rea*' > set_ftrace_filter; echo rc=$?
cat set_ftrace_filter
echo '*vfs_rea*' > set_ftrace_filter; echo rc=$?
cat set_ftrace_filter
echo 'vfs_r[em]*d*' > set_ftrace_filter; echo rc=$?
cat set_ftrace_filter
echo '!*read' >> set_ftrace_filter; echo rc=$?
cat set_ftrace_filter
echo 'v*_zz*' > set_ftrace_filter; echo rc=$?
