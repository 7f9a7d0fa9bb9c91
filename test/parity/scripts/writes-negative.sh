for file in buffer_size_kb max_graph_depth tracing_on tracing_thresh buffer_percent saved_cmdlines_size; do echo -1 > $file; echo $file rc=$?; done
