echo 1 > tracing_on
cat free_buffer; echo rc=$?
echo x > free_buffer; echo rc=$?
cat buffer_size_kb tracing_on
echo hello > trace_marker; echo rc=$?
echo 100 > buffer_size_kb; echo rc=$?
cat buffer_size_kb
