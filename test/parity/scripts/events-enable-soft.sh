# A trigger keeps its event called: 0* and 1*. What a trigger switches shows a star too.
echo traceoff > events/module/module_load/trigger; echo $?
cat events/module/module_load/enable events/module/enable
echo 1 > events/module/module_load/enable
cat events/module/module_load/enable events/module/enable
echo 0 > events/module/module_load/enable
cat events/module/module_load/enable events/module/enable
echo enable_event:signal:signal_deliver > events/module/module_put/trigger; echo $?
cat events/module/module_put/enable events/signal/signal_deliver/enable events/signal/enable
grep -e module -e signal set_event
echo '!enable_event:signal:signal_deliver' > events/module/module_put/trigger
cat events/module/module_put/enable events/signal/signal_deliver/enable events/signal/enable
echo '!traceoff' > events/module/module_load/trigger
cat events/module/module_load/enable events/module/enable
grep -c module set_event
