for line in 'p:x /bin/sh:0x10 a=$stack:u8' 'p:x /bin/sh:0x20 a=$stack:u8' 'r:x /bin/sh:0x20 a=$stack:u8' 'p:x /bin/sh:0x10 a=$stack:u8' 'p:x /bin/sh:0x30 a=$stack:s8' 'p:x /bin/sh:0x30'; do echo "$line" >> uprobe_events; echo rc=$?; done
cat uprobe_events
cat error_log
cat dynamic_events
