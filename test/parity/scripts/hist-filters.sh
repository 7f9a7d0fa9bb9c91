# if and a filter behind the histogram.
for t in 'if refcnt == 1' 'if   refcnt==1 || name ~ "a*"  ' 'if' 'if nosuch == 1' 'if (refcnt == 1' 'when refcnt == 1' 'refcnt == 1'; do echo "hist:keys=ip $t" > events/module/module_put/trigger; echo "$t $?"; cat events/module/module_put/trigger; done
cat error_log
printf '' > events/module/module_put/trigger
