for line in 'p /bin/sh:0x10' 'p:ev /bin/sh:0x20 a=$stack:u64' 'r /bin/sh:0x30 $retval' 'p:g/ /bin/sh:0x40%return $retval' 'p5:ev5 /bin/sh:0x50' 'r:gg/ev /bin/sh:0x60 a=$comm'; do echo "$line" >> uprobe_events; echo rc=$?; done
cat uprobe_events
cat error_log
cat uprobe_profile
