# One for each event that is switched; enable_event and disable_event of one event go together.
echo enable_event:module:module_put >> events/module/module_load/trigger; echo $?
echo enable_event:module:module_get:2 >> events/module/module_load/trigger; echo $?
echo 'disable_event:signal:signal_deliver:3 if taints == 1' >> events/module/module_load/trigger; echo $?
cat events/module/module_load/trigger
echo enable_event:module:module_put:9 >> events/module/module_load/trigger; echo $?
echo disable_event:module:module_put >> events/module/module_load/trigger; echo $?
echo enable_event:module:module_load >> events/module/module_load/trigger; echo $?
cat events/module/module_load/trigger
for e in module/module_load module/module_put module/module_get signal/signal_deliver; do cat events/$e/enable; done
for t in '!enable_event:module:module_put' '!enable_event:module:module_get:7' '!disable_event:signal:signal_deliver' '!disable_event:module:module_put' '!enable_event:module:module_load' '!enable_event:no:no'; do echo "$t" >> events/module/module_load/trigger; echo "$t $?"; done
cat events/module/module_load/trigger
for e in module/module_load module/module_put module/module_get signal/signal_deliver; do cat events/$e/enable; done
