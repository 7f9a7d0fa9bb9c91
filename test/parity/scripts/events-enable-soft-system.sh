# A system and all events are written where triggers are.
echo traceoff > events/module/module_load/trigger
cat events/module/enable
echo 1 > events/module/enable; cat events/module/enable events/module/module_load/enable events/module/module_put/enable
echo 0 > events/module/enable; cat events/module/enable events/module/module_load/enable events/module/module_put/enable
echo module: > set_event; cat events/module/module_load/enable events/module/module_put/enable
grep module: set_event
echo > set_event; cat events/module/module_load/enable events/module/module_put/enable
grep module: set_event
echo '!*:*' > set_event; cat events/module/module_load/enable
echo '!traceoff' > events/module/module_load/trigger
grep -c module: set_event
