for line in 'p:u nope:0x10' 'p:u :0x10' 'p:u nope:zz' 'r:u nope:10' 'p nope:0x1000' 'p:u nope:' 'p:u a:b:10'; do echo "$line" >> uprobe_events; echo rc=$?; done
cat error_log
