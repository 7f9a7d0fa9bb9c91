# What a trigger's listing and an empty table look like with each attribute.
for t in keys=ip keys=ip,refcnt keys=ip.sym keys=name:vals=refcnt keys=name:vals=refcnt,ip:sort=refcnt keys=refcnt.log2 keys=refcnt.buckets=10 keys=stacktrace keys=common_stacktrace keys=common_pid.execname keys=ip:vals=refcnt.percent keys=ip:vals=refcnt.graph keys=ip:x=refcnt 'keys=name:x=refcnt:onmax($x).save(ip)' keys=ip:pause keys=ip:size=256 'keys=ip if refcnt > 3'; do echo "hist:$t" > events/module/module_put/trigger; echo "$t $?"; cat events/module/module_put/hist; printf '' > events/module/module_put/trigger; done
echo 'hist:keys=ip' > events/module/module_put/trigger
echo 'hist:keys=refcnt:size=128' >> events/module/module_put/trigger
echo 'hist:name=both:keys=name' >> events/module/module_put/trigger
echo 'hist:name=both:keys=name' >> events/module/module_get/trigger
cat events/module/module_put/hist
cat events/module/module_get/hist
cat events/module/module_put/trigger events/module/module_get/trigger
echo 'hist:name=both:keys=ip' >> events/module/module_get/trigger; echo $?
echo 'hist:name=both' >> events/module/module_load/trigger; echo $?
echo 'hist:name=none' >> events/module/module_load/trigger; echo $?
cat events/module/module_load/trigger
echo '!hist:name=both:keys=name' >> events/module/module_put/trigger; echo $?
echo '!hist:keys=nosuch' >> events/module/module_put/trigger; echo $?
echo '!hist:keys=refcnt' >> events/module/module_put/trigger; echo $?
echo '!hist' >> events/module/module_put/trigger; echo $?
echo '!hist:keys=ip:pause' >> events/module/module_put/trigger; echo $?
echo '!hist:keys=refcnt:size=128' >> events/module/module_put/trigger; echo $?
cat events/module/module_put/trigger
cat error_log
