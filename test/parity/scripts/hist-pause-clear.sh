# pause, cont and clear of one that is there.
echo 'hist:keys=ip:vals=refcnt' > events/module/module_put/trigger
for t in pause pause cont cont clear pause:clear clear:cont continue 'pause if refcnt > 1' sort=refcnt size=256 vals=ip; do echo "hist:keys=ip:vals=refcnt:$t" >> events/module/module_put/trigger; echo "$t $?"; cat events/module/module_put/trigger; done
for t in keys=ip:pause keys=ip:vals=hitcount,refcnt:pause keys=ip:vals=refcnt:name=x:pause keys=refcnt:clear keys=ip,refcnt:cont; do echo "hist:$t" >> events/module/module_put/trigger; echo "$t $?"; cat events/module/module_put/trigger; done
echo '!hist:keys=ip:vals=refcnt:pause' >> events/module/module_put/trigger; echo $?
echo '!hist:keys=ip:vals=refcnt if refcnt > 1' >> events/module/module_put/trigger; echo $?
cat events/module/module_put/trigger
cat error_log
