echo 1 > tracing_on
echo 1 > options/disable_on_free; echo rc=$?
printf '' > free_buffer; echo rc=$?
cat buffer_size_kb tracing_on
echo hello > trace_marker; echo rc=$?
