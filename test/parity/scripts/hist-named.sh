# A histogram with a name is shared by events.
echo 'hist:name=foo:keys=common_pid' >> events/module/module_put/trigger; echo $?
echo 'hist:name=foo:keys=common_pid' >> events/module/module_get/trigger; echo $?
cat events/module/module_put/trigger events/module/module_get/trigger
cat events/module/module_get/hist
echo 'hist:name=foo:keys=refcnt' >> events/module/module_load/trigger; echo $?
echo 'hist:name=foo' >> events/module/module_load/trigger; echo $?
echo 'hist:name=foo:keys=common_pid' >> events/module/module_put/trigger; echo $?
echo 'hist:name=foo:pause' >> events/module/module_put/trigger; echo $?
cat events/module/module_put/trigger events/module/module_get/trigger
echo 'hist:name=foo:cont' >> events/module/module_get/trigger; echo $?
cat events/module/module_put/trigger events/module/module_get/trigger
for e in module_put module_get module_load; do printf '' > events/module/$e/trigger; done
cat events/module/module_put/trigger
