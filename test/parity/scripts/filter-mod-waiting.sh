echo ':mod:aaa' > set_ftrace_filter; echo rc=$?
echo ':mod:bbb' >> set_ftrace_filter; echo rc=$?
echo ':mod:aaa' >> set_ftrace_filter; echo rc=$?
echo 'x*:mod:ccc' >> set_ftrace_filter; echo rc=$?
cat set_ftrace_filter
echo '!y*:mod:ccc' >> set_ftrace_filter; echo rc=$?
echo '!:mod:ccc' >> set_ftrace_filter; echo rc=$?
echo '!:mod:aaa' >> set_ftrace_filter; echo rc=$?
cat set_ftrace_filter
echo '*:mod:ccc' >> set_ftrace_filter; echo rc=$?
echo 'vfs_read:mod:ccc' >> set_ftrace_filter; echo rc=$?
cat set_ftrace_filter
echo '!*:mod:ccc' >> set_ftrace_filter; echo rc=$?
cat set_ftrace_filter
echo 'vfs_read' >> set_ftrace_filter; echo rc=$?
cat set_ftrace_filter
echo '!vfs_read' >> set_ftrace_filter; echo rc=$?
cat set_ftrace_filter
echo ':mod:a?b*' > set_ftrace_filter; echo rc=$?
echo ':mod:a*b*' >> set_ftrace_filter; echo rc=$?
echo ':mod:*a*' >> set_ftrace_filter; echo rc=$?
echo ':mod:a*' >> set_ftrace_filter; echo rc=$?
echo ':mod:' >> set_ftrace_filter; echo rc=$?
echo 'vfs_read:mod:' >> set_ftrace_filter; echo rc=$?
echo 'vfs_read:mod:aaa:bbb' >> set_ftrace_filter; echo rc=$?
echo '0:mod:bbb' >> set_ftrace_filter; echo rc=$?
cat set_ftrace_filter
