# Two histograms of an event are two if their keys, filters, or values differ.
echo 'hist:keys=ip' >> events/module/module_put/trigger; echo $?
echo 'hist:keys=ip' >> events/module/module_put/trigger; echo $?
echo 'hist:keys=ip:sort=hitcount' >> events/module/module_put/trigger; echo $?
echo 'hist:keys=ip:vals=refcnt' >> events/module/module_put/trigger; echo $?
echo 'hist:keys=refcnt' >> events/module/module_put/trigger; echo $?
echo 'hist:keys=ip if refcnt == 1' >> events/module/module_put/trigger; echo $?
echo 'hist:keys=ip if refcnt == 1' >> events/module/module_put/trigger; echo $?
echo 'hist:keys=ip:size=512' >> events/module/module_put/trigger; echo $?
cat events/module/module_put/trigger events/module/module_put/hist
echo 'hist:keys=name' > events/module/module_put/trigger; echo $?
cat events/module/module_put/trigger
printf '' > events/module/module_put/trigger
cat events/module/module_put/trigger events/module/module_put/enable
