for line in 'p /non_exist_file:0x100' 'p /sys:0x100' 'p /bin/sh:0x10a(' 'p /bin/sh:0x10(1a)' 'p /bin/sh:0x10(10' 'p /bin/sh:0x10(10)a' 'p /bin/sh:0x10%hoge' 'p /bin/sh:0x10(10)%return'; do echo "$line" >> uprobe_events; echo rc=$?; done
cat uprobe_events
cat error_log
