# The newest is shown first; each may be there once.
for t in traceon traceoff:3 stacktrace snapshot:1; do echo $t >> events/module/module_load/trigger; echo "$t $?"; cat events/module/module_load/trigger; done
for t in traceon traceon:5 traceoff stacktrace:1 'snapshot if refcnt == 1'; do echo "$t" >> events/module/module_load/trigger; echo "$t $?"; done
cat events/module/module_load/trigger
for t in '!traceoff' '!stacktrace:7' '!traceon if nosuch' '!snapshot:x'; do echo "$t" >> events/module/module_load/trigger; echo "$t $?"; cat events/module/module_load/trigger; done
cat events/module/module_load/enable
