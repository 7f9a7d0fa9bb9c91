echo 1 > set_graph_function; echo rc=$?
echo '!vfs_read' >> set_graph_function; echo rc=$?
echo vfs_read >> set_graph_function; echo rc=$?
echo '!vfs_write' >> set_graph_function; echo rc=$?
echo ':mod:aaa' >> set_graph_function; echo rc=$?
echo 'vfs_read:mod:aaa' >> set_graph_function; echo rc=$?
cat set_graph_function
printf nosuch > set_graph_function; echo rc=$?
cat set_graph_function
printf vfs_read > set_graph_function; echo rc=$?
cat set_graph_function
printf nosuch > set_ftrace_filter; echo rc=$?
cat set_ftrace_filter
printf 'vfs_read nosuch' > set_ftrace_filter; echo rc=$?
cat set_ftrace_filter
