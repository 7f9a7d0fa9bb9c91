# What may be written, while there is none.
cat events/module/module_load/trigger
echo > events/module/module_load/trigger; echo $?
echo '!' > events/module/module_load/trigger; echo $?
echo '!traceoff' > events/module/module_load/trigger; echo $?
printf '' > events/module/module_load/trigger; echo $?
grep -c traceoff events/module/module_load/trigger
cat events/module/module_load/enable
