cat events/ftrace/function/hist events/ftrace/print/hist events/ftrace/bputs/hist; echo rc=$?
cat events/ftrace/function/id events/ftrace/print/id
grep -h ID events/ftrace/bprint/format events/ftrace/bputs/format events/ftrace/context_switch/format events/ftrace/func_repeats/format
grep -h ID events/ftrace/funcgraph_entry/format events/ftrace/funcgraph_exit/format events/ftrace/hwlat/format events/ftrace/kernel_stack/format
grep -h ID events/ftrace/raw_data/format events/ftrace/user_stack/format events/ftrace/wakeup/format
echo x > events/ftrace/function/hist; echo rc=$?
echo x > events/ftrace/function/id; echo rc=$?
echo x > events/ftrace/print/hist; echo rc=$?
