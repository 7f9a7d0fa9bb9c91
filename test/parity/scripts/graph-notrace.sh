cat set_graph_notrace
echo vfs_write > set_graph_notrace; echo rc=$?
cat set_graph_notrace
echo nosuchfn >> set_graph_notrace; echo rc=$?
cat set_graph_notrace
printf '' > set_graph_notrace; echo rc=$?
cat set_graph_notrace
