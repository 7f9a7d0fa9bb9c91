# Keys and what they are shown as.
for t in keys=taints key=taints keys=name keys=taints,name keys=taints.hex keys=common_pid keys=common_pid.execname keys=name,common_pid.execname keys=stacktrace keys=taints.log2 keys=taints.buckets=10 keys=common_timestamp keys=common_timestamp.usecs keys=cpu keys=common_cpu; do echo "hist:$t" > events/module/module_load/trigger; echo "$t $?"; cat events/module/module_load/trigger; cat events/module/module_load/hist; done
printf '' > events/module/module_load/trigger
