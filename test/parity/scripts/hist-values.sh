# Values, and hitcount which is always there.
for t in vals=refcnt values=refcnt val=refcnt vals=hitcount vals=refcnt,hitcount vals=hitcount,refcnt vals=refcnt,refcnt vals=refcnt.hex vals=raw:x vals=refcnt.percent vals=refcnt.graph vals=name vals=nosuch; do echo "hist:keys=ip:$t" > events/module/module_put/trigger; echo "$t $?"; cat events/module/module_put/trigger; done
printf '' > events/module/module_put/trigger
