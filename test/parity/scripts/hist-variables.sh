# Variables, as they are shown.
for t in 'x=refcnt' 'ts0=common_timestamp' 'ts0=common_timestamp.usecs' 'x=refcnt,y=ip' 'x=refcnt:y=$x' 'x=refcnt+1' 'x=refcnt*2-1' 'x=ip-refcnt:vals=refcnt' 'x=5' 'x=cpu' 'x=name' 'x=refcnt:x=ip'; do echo "hist:keys=ip:$t" > events/module/module_put/trigger; echo "$t $?"; cat events/module/module_put/trigger; printf '' > events/module/module_put/trigger; done
