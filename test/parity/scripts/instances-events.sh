# Each instance has its own state of each event.
mkdir instances/foo
cat instances/foo/events/enable instances/foo/set_event
echo 1 > instances/foo/events/module/enable; echo $?
cat instances/foo/events/module/enable instances/foo/events/enable events/module/enable events/enable
grep module: instances/foo/set_event
cat set_event
echo signal:signal_deliver > set_event
cat instances/foo/events/signal/enable events/signal/enable
echo 'sig == 1' > instances/foo/events/signal/signal_deliver/filter; echo $?
cat events/signal/signal_deliver/filter instances/foo/events/signal/signal_deliver/filter
echo traceoff > instances/foo/events/module/module_load/trigger; echo $?
cat instances/foo/events/module/module_load/trigger instances/foo/events/module/module_load/enable
cat events/module/module_load/trigger events/module/module_load/enable
rmdir instances/foo; echo $?
cat events/module/module_load/enable events/signal/enable
