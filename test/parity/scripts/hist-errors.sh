# Errors in the histogram, with the caret in error_log.
for t in 'hist:' hist 'hist:keys=' 'hist:keys' 'hist:keys=nosuch' 'hist:vals=refcnt' 'hist:keys=ip:vals=nosuch' 'hist:keys=ip:sort=nosuch' 'hist:keys=ip.nosuch' 'hist:keys=ip,refcnt,name,common_pid' 'hist:nosuch=1:keys=ip' 'hist:keys=ip:name=' 'hist:keys=ip:size=1' 'hist:keys=ip:vals=name'; do echo "$t" > events/module/module_put/trigger; echo "$t $?"; done
cat error_log
cat events/module/module_put/trigger
printf '' > events/module/module_put/trigger
