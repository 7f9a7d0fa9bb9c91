# When the last trigger goes, an event that was enabled stays so, and one that was not is off.
echo 1 > events/module/module_load/enable
echo traceoff > events/module/module_load/trigger
echo stacktrace >> events/module/module_load/trigger
cat events/module/module_load/enable
echo '!traceoff' >> events/module/module_load/trigger; cat events/module/module_load/enable
echo '!stacktrace' >> events/module/module_load/trigger; cat events/module/module_load/enable
echo traceoff > events/module/module_load/trigger
echo 0 > events/module/module_load/enable; cat events/module/module_load/enable
echo '!traceoff' >> events/module/module_load/trigger; cat events/module/module_load/enable
echo traceoff > events/module/module_load/trigger; cat events/module/module_load/enable
echo 1 > events/module/module_load/enable; cat events/module/module_load/enable
echo '!traceoff' >> events/module/module_load/trigger; cat events/module/module_load/enable
echo 0 > events/enable; cat events/module/module_load/enable
