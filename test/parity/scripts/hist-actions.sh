# onmax, onchange, save, snapshot and trace.
echo 'seen int refcnt' > synthetic_events
for t in 'onmax($x).save(name,ip)' 'onmax($x).snapshot()' 'onchange($x).save(refcnt)' 'onchange($x).snapshot()' 'onmax($x).trace(seen,refcnt)' 'onchange($x).seen(refcnt)' 'onmax($y).save(name)' 'onmax(refcnt).save(name)' 'onmax($x)' 'onmax($x).nosuch()' 'onmax($x).save(nosuch)' 'onmatch(module.module_get).seen(refcnt)' 'onmatch(no.such).seen(refcnt)' 'onnosuch($x).save(name)' 'onmax($x).trace(nosuch,refcnt)' 'onmax($x).seen()' 'onmax($x).seen(refcnt,refcnt)'; do echo "hist:keys=ip:x=refcnt:$t" > events/module/module_put/trigger; echo "$t $?"; cat events/module/module_put/trigger; printf '' > events/module/module_put/trigger; done
cat error_log
echo > synthetic_events
