cat events/header_page events/header_event
cat events/ftrace/function/format events/ftrace/function/id
cat events/ftrace/print/format events/ftrace/print/id
cat events/ftrace/funcgraph_entry/format events/ftrace/funcgraph_exit/format
cat events/ftrace/kernel_stack/format events/ftrace/user_stack/format
cat events/ftrace/bprint/format events/ftrace/bputs/format events/ftrace/raw_data/format
cat events/ftrace/context_switch/format events/ftrace/wakeup/format
cat events/ftrace/hwlat/format events/ftrace/func_repeats/format
