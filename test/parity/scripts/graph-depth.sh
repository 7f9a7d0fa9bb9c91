cat max_graph_depth
echo 3 > max_graph_depth; echo rc=$?
cat max_graph_depth
echo 0 > max_graph_depth; echo rc=$?
cat max_graph_depth
echo abc > max_graph_depth; echo rc=$?
echo -1 > max_graph_depth; echo rc=$?
echo > max_graph_depth; echo rc=$?
cat max_graph_depth
echo 99999999999 > max_graph_depth; echo rc=$?
cat max_graph_depth
