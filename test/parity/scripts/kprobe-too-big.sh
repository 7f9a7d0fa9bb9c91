for line in 'p:ok vfs_read +0($arg1):u64[64] +0($arg1):u64[64] +0($arg1):u64[64] +0($arg1):u64[64] +0($arg1):u64[64]' 'p:bad vfs_read +0($arg1):u64[64] +0($arg1):u64[64] +0($arg1):u64[64] +0($arg1):u64[64] +0($arg1):u64[64] +0($arg1):u64[64] +0($arg1):u64[64]'; do echo "$line" >> kprobe_events; echo rc=$?; done
cat kprobe_events
cat error_log
