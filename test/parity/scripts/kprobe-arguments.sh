for line in 'p:a vfs_read $arg1 $arg2' 'p:b vfs_read x=$arg1 y=$arg2:u32' 'p:c vfs_read $stack $stack0 $stack2048' 'p:d vfs_read $comm $COMM' 'p:e vfs_read name=$comm:string' 'p:f vfs_read \1 \-1:s8 \0x10 \+5 \010' 'p:g vfs_read \"x" s=\"foo":string' 'r:h vfs_read $retval $comm'; do echo "$line" >> kprobe_events; echo rc=$?; done
cat kprobe_events
cat error_log
