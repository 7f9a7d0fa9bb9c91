# Each instance has its own histograms.
mkdir instances/foo
echo 'hist:keys=ip' > instances/foo/events/module/module_put/trigger; echo $?
cat events/module/module_put/trigger events/module/module_put/hist
cat instances/foo/events/module/module_put/trigger instances/foo/events/module/module_put/hist
echo 'hist:keys=nosuch' > instances/foo/events/module/module_load/trigger; echo $?
cat instances/foo/error_log
cat error_log
echo 'x int a' > synthetic_events
cat instances/foo/events/synthetic/x/hist instances/foo/events/synthetic/enable
rmdir instances/foo; echo $?
echo > synthetic_events
