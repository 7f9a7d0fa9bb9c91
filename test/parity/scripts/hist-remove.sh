# ! removes the histogram of the same definition.
echo 'hist:keys=ip:vals=refcnt' >> events/module/module_put/trigger
echo 'hist:keys=refcnt if refcnt == 1' >> events/module/module_put/trigger
for t in '!hist' '!hist:' '!hist:keys=ip' '!hist:keys=refcnt' '!hist:keys=nosuch' '!hist:keys=refcnt if refcnt == 2'; do echo "$t" >> events/module/module_put/trigger; echo "$t $?"; cat events/module/module_put/trigger; done
for t in '!hist:keys=refcnt if refcnt == 1' '!hist:keys=ip:vals=refcnt' '!hist:keys=ip:vals=refcnt'; do echo "$t" >> events/module/module_put/trigger; echo "$t $?"; cat events/module/module_put/trigger; done
cat events/module/module_put/enable
printf '' > events/module/module_put/trigger
