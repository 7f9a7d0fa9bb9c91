# pause, cont, clear: of a histogram that is there.
echo 'hist:keys=ip' > events/module/module_put/trigger
echo 'hist:keys=ip:pause' >> events/module/module_put/trigger; echo $?
cat events/module/module_put/trigger events/module/module_put/hist
echo 'hist:keys=ip:cont' >> events/module/module_put/trigger; echo $?
cat events/module/module_put/trigger
echo 'hist:keys=ip:clear' >> events/module/module_put/trigger; echo $?
cat events/module/module_put/trigger
echo 'hist:keys=refcnt:pause' >> events/module/module_put/trigger; echo $?
cat events/module/module_put/trigger
echo 'hist:keys=name:cont' >> events/module/module_put/trigger; echo $?
echo 'hist:keys=name:clear' >> events/module/module_put/trigger; echo $?
echo 'hist:keys=name:continue' >> events/module/module_put/trigger; echo $?
cat events/module/module_put/trigger
echo 'hist:keys=ip:unknown' >> events/module/module_put/trigger; echo $?
printf '' > events/module/module_put/trigger
