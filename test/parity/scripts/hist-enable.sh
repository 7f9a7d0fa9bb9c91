# enable_hist and disable_hist switch another event's histograms.
echo 'hist:keys=ip' > events/module/module_put/trigger
echo enable_hist:module:module_put > events/module/module_load/trigger; echo $?
echo disable_hist:module:module_get:3 >> events/module/module_load/trigger; echo $?
echo enable_hist:module:module_put >> events/module/module_load/trigger; echo $?
echo enable_hist:module:nosuch >> events/module/module_load/trigger; echo $?
cat events/module/module_load/trigger events/module/module_put/trigger events/module/module_get/enable
echo '!enable_hist:module:module_put' >> events/module/module_load/trigger; echo $?
echo '!disable_hist:module:module_get' >> events/module/module_load/trigger; echo $?
cat events/module/module_load/trigger events/module/module_get/enable events/module/module_put/enable
printf '' > events/module/module_put/trigger
cat events/module/module_put/enable
