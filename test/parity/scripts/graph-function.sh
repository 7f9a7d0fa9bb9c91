cat set_graph_function
echo vfs_read > set_graph_function; echo rc=$?
cat set_graph_function
echo '!vfs_read' >> set_graph_function; echo rc=$?
cat set_graph_function
echo schedule > set_graph_function; echo rc=$?
cat set_graph_function
echo > set_graph_function; echo rc=$?
cat set_graph_function
