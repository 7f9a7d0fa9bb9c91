# 0, 1 and X of an event, its system, and all.
for f in module/module_load/enable module/module_put/enable module/enable enable; do cat events/$f; done
echo 1 > events/module/module_load/enable; echo $?
for f in module/module_load/enable module/module_put/enable module/enable enable; do cat events/$f; done
echo 1 > events/module/enable; echo $?
for f in module/module_load/enable module/module_put/enable module/enable enable; do cat events/$f; done
echo 0 > events/module/module_load/enable; echo $?
for f in module/module_load/enable module/module_put/enable module/enable enable; do cat events/$f; done
echo 1 > events/enable; echo $?
for f in module/module_load/enable module/module_put/enable module/enable enable; do cat events/$f; done
echo 0 > events/module/enable; echo $?
for f in module/module_load/enable module/module_put/enable module/enable enable; do cat events/$f; done
echo 0 > events/enable; echo $?
for f in module/module_load/enable module/module_put/enable module/enable enable; do cat events/$f; done
