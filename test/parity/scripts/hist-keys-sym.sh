# Addresses as symbols.
for t in keys=ip keys=ip.hex keys=ip.sym keys=ip.sym-offset keys=ip.sym,refcnt keys=refcnt.sym keys=refcnt.syscall; do echo "hist:$t" > events/module/module_put/trigger; echo "$t $?"; cat events/module/module_put/trigger; done
printf '' > events/module/module_put/trigger
