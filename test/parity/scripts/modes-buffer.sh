stat -c '%A %n' buffer_percent free_buffer saved_cmdlines_size timestamp_mode trace_marker_raw
