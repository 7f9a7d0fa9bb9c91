for line in 'p vfs_read common_pid=$arg1' 'p vfs_read common_type=$arg1' 'p vfs_read __probe_ip=$arg1' 'p vfs_read __probe_func=$arg1' 'p vfs_read __probe_ret_ip=$arg1' 'p vfs_read common_tgid=$arg1' 'p:ok vfs_read common_cpu=$arg1 ip=$arg1'; do echo "$line" >> kprobe_events; echo rc=$?; done
cat kprobe_events
cat error_log
