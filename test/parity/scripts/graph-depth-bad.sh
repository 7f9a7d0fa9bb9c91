for depth in -1 abc 99999999999999999999 1.5; do echo $depth > max_graph_depth; echo rc=$?; done
cat max_graph_depth
