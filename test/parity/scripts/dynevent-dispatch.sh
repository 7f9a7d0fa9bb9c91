for line in 'p:x /bin/sh:0x10' 'p:y /bin/nosuch:0x10' 'p:z nomod:nosuch' 'q:x' 'p' 'p:w nosuch' 'x' 'r:v /bin/sh:0x20 $retval'; do echo "$line" >> dynamic_events; echo rc=$?; done
cat dynamic_events
cat error_log
