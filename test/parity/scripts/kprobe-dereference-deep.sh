for line in 'p:a vfs_read +0(+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(+0($arg1)))))))))))))' 'p:b vfs_read +0(+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(+0($arg1))))))))))))))' 'p:c vfs_read +0(+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(+0($arg1)))))))))))))))'; do echo "$line" >> kprobe_events; echo rc=$?; done
cat kprobe_events
cat error_log
