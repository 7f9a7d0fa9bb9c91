echo 'p:x /bin/sh:0x10 a=$stack:u8' >> uprobe_events
echo 'p:x /bin/sh:0x20 a=$stack:u8' >> uprobe_events
echo 'p:g/y /bin/sh:0x20' >> uprobe_events
for line in '-:x /bin/sh:0x10' '-:x /bin/sh:0x0000000000000010' '-:x /bin/sh:0x0000000000000020 a=$stack' '-:nosuch' '-:uprobes/x /bin/sh:0x0000000000000020 a=$stack:u8' '-:uprobes/' '-:g/y'; do echo "$line" >> uprobe_events; echo rc=$?; done
cat kprobe_events dynamic_events
cat error_log
