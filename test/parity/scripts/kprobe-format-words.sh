for line in 'p:x vfs_read' 'p:x vfs_read $stack $stack1 \5' 'p:x vfs_read \"a" \5:s8 $comm'; do echo "$line" > kprobe_events; echo rc=$?; grep -e field -e 'print fmt' events/kprobes/x/format; done
