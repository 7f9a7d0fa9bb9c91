for line in 'p /bin/sh:0x10 @+ab' 'p /bin/sh:0x10 @symbol' 'p /bin/sh:0x10 $arg1' 'p /bin/sh:0x10 $retval' 'p /bin/sh:0x10 $none' 'p /bin/sh:0x10 a=' 'p /bin/sh:0x10 +0(@x)'; do echo "$line" >> uprobe_events; echo rc=$?; done
cat uprobe_events
cat error_log
