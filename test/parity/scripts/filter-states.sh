cat set_ftrace_filter set_ftrace_notrace set_graph_function set_graph_notrace
echo vfs_open > set_ftrace_filter
echo vfs_open >> set_ftrace_filter
cat set_ftrace_filter
echo '!vfs_open' >> set_ftrace_filter
echo $?
cat set_ftrace_filter
echo '!vfs_open' >> set_ftrace_filter
echo $?
echo vfs_open > set_ftrace_filter
echo '!vfs_open' > set_ftrace_filter
echo $?
cat set_ftrace_filter
echo vfs_open > set_ftrace_filter
printf '' >> set_ftrace_filter
cat set_ftrace_filter
echo function > current_tracer
cat set_ftrace_filter
echo nop > current_tracer
echo > set_ftrace_filter
echo vfs_open > set_ftrace_notrace
cat set_ftrace_notrace set_ftrace_filter enabled_functions
echo > set_ftrace_notrace
cat set_ftrace_notrace
echo function_graph > current_tracer
cat set_graph_function set_graph_notrace
echo vfs_open > set_graph_function
echo vfs_open > set_graph_notrace
cat set_graph_function set_graph_notrace
echo > set_graph_notrace
cat set_graph_notrace
echo > set_graph_function
cat set_graph_function
echo nop > current_tracer
