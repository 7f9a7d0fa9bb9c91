for line in 'p:z 0' 'p:z +0' 'p:z 0x0' 'r:z 0' 'p:z 00' 'p:z 0 a=$nope'; do echo "$line" >> kprobe_events; echo rc=$?; done
cat error_log
