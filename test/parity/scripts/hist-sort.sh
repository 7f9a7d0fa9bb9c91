# The order of entries.
for t in sort=hitcount sort=refcnt sort=ip sort=refcnt.descending sort=hitcount.ascending sort=ip.descending,refcnt sort=refcnt,hitcount.descending sort=nosuch sort= sort=refcnt.up sort=a,b,c sort=ip,refcnt,hitcount; do echo "hist:keys=ip:vals=refcnt:$t" > events/module/module_put/trigger; echo "$t $?"; cat events/module/module_put/trigger; done
printf '' > events/module/module_put/trigger
