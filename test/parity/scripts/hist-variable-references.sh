# Variables of one event in another, and what is refused.
echo 'delta u64 lat; int pid; char name[16]' > synthetic_events
echo 'hist:keys=refcnt:ts=common_timestamp.usecs,w=refcnt' > events/module/module_get/trigger; echo $?
for t in 'lat=common_timestamp.usecs-$ts' 'lat=common_timestamp.usecs-$ts:onmatch(module.module_get).delta($lat,refcnt,name)' 'onmatch(module.module_get).trace(delta,$ts,$w,name)' 'onmatch(module.module_get).delta($ts,refcnt)' 'onmatch(module.module_get).delta(name,refcnt,name)' 'onmatch(module.module_get).delta($ts,refcnt,name,ip)' 'onmatch(module.module_get).trace(delta)' 'onmatch(module.module_get).nosuch($ts)' 'onmatch(module.module_get).trace(nosuch,$ts)' 'onmatch(module.module_put).delta($ts,refcnt,name)' 'onmatch(module.module_load).delta($ts,refcnt,name)' 'onmatch(module).delta($ts,refcnt,name)' 'onmatch().delta($ts,refcnt,name)' 'onmatch(module.module_get)' 'onmatch(module.module_get).' 'onmatch(module.module_get).save(ip)' 'onmatch(module.module_get).snapshot()' 'onmax($lat).save(ip)' 'lat=$ts:onmax($lat).save(ip,name)' 'lat=$ts:onmax($lat).save()' 'lat=$ts:onmax($lat).save(ip,nosuch)' 'lat=$ts:onchange($lat).delta($lat,refcnt,name)' 'lat=$ts:onmax($lat).trace(delta,$lat,refcnt,name)' 'lat=$ts:onmatch(module.module_get).delta($lat,refcnt,name):onmax($lat).save(ip)' 'vals=$ts' 'vals=$w' 'sort=$w' 'x=$ts+$w' 'x=$nosuch' 'x=module.module_get.$ts' 'x=module.module_get.$nosuch' 'x=no.such.$ts' 'x=ts' 'keys=$w'; do echo "hist:keys=refcnt:$t" > events/module/module_put/trigger; echo "$t $?"; cat events/module/module_put/trigger; printf '' > events/module/module_put/trigger; done
cat error_log
echo 'hist:keys=refcnt:x=$w' > events/module/module_put/trigger; echo $?
echo '!hist:keys=refcnt:ts=common_timestamp.usecs,w=refcnt' > events/module/module_get/trigger; echo $?
cat events/module/module_get/trigger
echo '!hist:keys=refcnt:x=$w' > events/module/module_put/trigger; echo $?
echo '!hist:keys=refcnt:ts=common_timestamp.usecs,w=refcnt' > events/module/module_get/trigger; echo $?
cat events/module/module_get/trigger events/module/module_put/trigger
