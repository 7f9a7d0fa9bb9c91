echo nosuchfn > set_graph_function; echo rc=$?
echo vfs_read > set_graph_function
echo '!nosuchfn' >> set_graph_function; echo rc=$?
echo '!vfs_write' >> set_graph_function; echo rc=$?
echo ':mod:nosuchmodule' >> set_graph_function; echo rc=$?
echo vfs_read >> set_graph_function; echo rc=$?
cat set_graph_function
