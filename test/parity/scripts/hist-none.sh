# The hist file of an event without a histogram, and of one without hits.
cat events/module/module_load/hist; echo $?
echo 'hist:keys=taints' > events/module/module_load/trigger; echo $?
cat events/module/module_load/trigger
cat events/module/module_load/hist
cat events/module/module_load/enable
echo '!hist:keys=taints' > events/module/module_load/trigger; echo $?
cat events/module/module_load/hist
cat events/module/module_load/enable
