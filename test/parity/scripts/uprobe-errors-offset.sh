for line in 'p /bin/sh:10a' 'p /bin/sh:0xg' 'p /bin/sh:99999999999999999999' 'p /bin/sh' 'p /bin/sh:' 'p /bin/sh:x' 'p' 'p /bin/sh/x:0x1'; do echo "$line" >> uprobe_events; echo rc=$?; done
cat uprobe_events
cat error_log
