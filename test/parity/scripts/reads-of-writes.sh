for file in trace_marker trace_marker_raw free_buffer; do cat $file; echo $file rc=$?; done
