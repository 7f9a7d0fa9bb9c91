# Errors in variables and expressions.
for t in 'hist:keys=ip:x=nosuch' 'hist:keys=ip:x=' 'hist:keys=ip:vals=$nosuch' 'hist:keys=ip:x=refcnt+' 'hist:keys=ip:x=refcnt-nosuch' 'hist:keys=ip:x=$y+1' 'hist:keys=ip:x=refcnt/0' 'hist:keys=ip:x=refcnt+1+2+3+4' 'hist:keys=ip:x=name+1'; do echo "$t" > events/module/module_put/trigger; echo "$t $?"; cat events/module/module_put/trigger; printf '' > events/module/module_put/trigger; done
cat error_log
