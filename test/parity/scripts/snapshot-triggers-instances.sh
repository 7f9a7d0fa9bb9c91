# snapshot of instances, as a trigger and as a file.
mkdir instances/foo
cat instances/foo/snapshot
echo 'snapshot:2 if refcnt > 1' > instances/foo/events/module/module_put/trigger; echo $?
cat instances/foo/events/module/module_put/trigger events/module/module_put/trigger
cat instances/foo/snapshot
echo 0 > instances/foo/snapshot; echo $?
cat instances/foo/snapshot
echo 1 > instances/foo/snapshot; echo $?
echo 2 > instances/foo/per_cpu/cpu0/snapshot; echo $?
echo 3 > instances/foo/snapshot; echo $?
echo '!snapshot' > instances/foo/events/module/module_put/trigger; echo $?
echo 'hist:keys=ip:x=refcnt:onmax($x).snapshot()' > instances/foo/events/module/module_put/trigger; echo $?
for v in 0 1 2; do echo $v > instances/foo/snapshot; echo $?; done
echo snapshot > instances/foo/events/module/module_put/trigger; echo $?
cat instances/foo/events/module/module_put/trigger
printf '' > instances/foo/events/module/module_put/trigger; echo $?
for v in 0 1 2; do echo $v > instances/foo/snapshot; echo $?; done
rmdir instances/foo; echo $?
cat error_log
