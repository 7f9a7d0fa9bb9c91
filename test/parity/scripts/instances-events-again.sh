# A removed instance takes its events' states along.
mkdir instances/foo
echo 1 > instances/foo/events/enable
echo 'sig == 1' > instances/foo/events/signal/filter
echo traceoff > instances/foo/events/module/module_load/trigger
echo enable_event:signal:signal_deliver > instances/foo/events/module/module_put/trigger
rmdir instances/foo; echo $?
cat events/enable
mkdir instances/foo
cat instances/foo/events/enable instances/foo/events/signal/signal_deliver/filter instances/foo/events/module/module_load/trigger instances/foo/events/signal/signal_deliver/enable
rmdir instances/foo
