# Counts, filters, doubles and removal of each trigger.
for t in 'traceon' 'traceon:1' 'traceon:0' 'traceon:-1' 'traceon:x' 'traceon:' 'traceon:1:2' 'traceon:0x10' 'traceon:4294967296' 'traceon if refcnt > 1' 'traceon:3 if refcnt > 1' 'traceon if nosuch > 1' 'traceon if' 'traceon:2 if refcnt' 'traceon :1' ' traceon' 'traceon+1'; do echo "$t" > events/module/module_put/trigger; echo "$t $?"; cat events/module/module_put/trigger; echo "!traceon" > events/module/module_put/trigger; echo "removed $?"; done
for t in 'snapshot' 'snapshot:1' 'snapshot:0' 'snapshot:-1' 'snapshot:x' 'snapshot:' 'snapshot:1:2' 'snapshot:0x10' 'snapshot:4294967296' 'snapshot if refcnt > 1' 'snapshot:3 if refcnt > 1' 'snapshot if nosuch > 1' 'snapshot if' 'snapshot:2 if refcnt' 'snapshot :1' ' snapshot' 'snapshot+1'; do echo "$t" > events/module/module_put/trigger; echo "$t $?"; cat events/module/module_put/trigger; echo "!snapshot" > events/module/module_put/trigger; echo "removed $?"; done
for t in 'stacktrace' 'stacktrace:1' 'stacktrace:0' 'stacktrace:-1' 'stacktrace:x' 'stacktrace:' 'stacktrace:1:2' 'stacktrace:0x10' 'stacktrace:4294967296' 'stacktrace if refcnt > 1' 'stacktrace:3 if refcnt > 1' 'stacktrace if nosuch > 1' 'stacktrace if' 'stacktrace:2 if refcnt' 'stacktrace :1' ' stacktrace' 'stacktrace+1'; do echo "$t" > events/module/module_put/trigger; echo "$t $?"; cat events/module/module_put/trigger; echo "!stacktrace" > events/module/module_put/trigger; echo "removed $?"; done
for t in 'enable_event:signal:signal_deliver' 'enable_event:signal:signal_deliver:1' 'enable_event:signal:signal_deliver:0' 'enable_event:signal:signal_deliver:-1' 'enable_event:signal:signal_deliver:x' 'enable_event:signal:signal_deliver:' 'enable_event:signal:signal_deliver:1:2' 'enable_event:signal:signal_deliver:0x10' 'enable_event:signal:signal_deliver:4294967296' 'enable_event:signal:signal_deliver if refcnt > 1' 'enable_event:signal:signal_deliver:3 if refcnt > 1' 'enable_event:signal:signal_deliver if nosuch > 1' 'enable_event:signal:signal_deliver if' 'enable_event:signal:signal_deliver:2 if refcnt' 'enable_event:signal:signal_deliver :1' ' enable_event:signal:signal_deliver' 'enable_event:signal:signal_deliver+1'; do echo "$t" > events/module/module_put/trigger; echo "$t $?"; cat events/module/module_put/trigger; echo "!enable_event:signal:signal_deliver" > events/module/module_put/trigger; echo "removed $?"; done
for t in 'disable_event:signal:signal_deliver' 'disable_event:signal:signal_deliver:1' 'disable_event:signal:signal_deliver:0' 'disable_event:signal:signal_deliver:-1' 'disable_event:signal:signal_deliver:x' 'disable_event:signal:signal_deliver:' 'disable_event:signal:signal_deliver:1:2' 'disable_event:signal:signal_deliver:0x10' 'disable_event:signal:signal_deliver:4294967296' 'disable_event:signal:signal_deliver if refcnt > 1' 'disable_event:signal:signal_deliver:3 if refcnt > 1' 'disable_event:signal:signal_deliver if nosuch > 1' 'disable_event:signal:signal_deliver if' 'disable_event:signal:signal_deliver:2 if refcnt' 'disable_event:signal:signal_deliver :1' ' disable_event:signal:signal_deliver' 'disable_event:signal:signal_deliver+1'; do echo "$t" > events/module/module_put/trigger; echo "$t $?"; cat events/module/module_put/trigger; echo "!disable_event:signal:signal_deliver" > events/module/module_put/trigger; echo "removed $?"; done
for t in 'enable_hist:signal:signal_deliver' 'enable_hist:signal:signal_deliver:1' 'enable_hist:signal:signal_deliver:0' 'enable_hist:signal:signal_deliver:-1' 'enable_hist:signal:signal_deliver:x' 'enable_hist:signal:signal_deliver:' 'enable_hist:signal:signal_deliver:1:2' 'enable_hist:signal:signal_deliver:0x10' 'enable_hist:signal:signal_deliver:4294967296' 'enable_hist:signal:signal_deliver if refcnt > 1' 'enable_hist:signal:signal_deliver:3 if refcnt > 1' 'enable_hist:signal:signal_deliver if nosuch > 1' 'enable_hist:signal:signal_deliver if' 'enable_hist:signal:signal_deliver:2 if refcnt' 'enable_hist:signal:signal_deliver :1' ' enable_hist:signal:signal_deliver' 'enable_hist:signal:signal_deliver+1'; do echo "$t" > events/module/module_put/trigger; echo "$t $?"; cat events/module/module_put/trigger; echo "!enable_hist:signal:signal_deliver" > events/module/module_put/trigger; echo "removed $?"; done
echo "traceon:5 if refcnt > 1" > events/module/module_put/trigger; echo $?
echo traceon >> events/module/module_put/trigger; echo $?
echo '!traceon:9' >> events/module/module_put/trigger; echo $?
cat events/module/module_put/trigger
echo "snapshot:5 if refcnt > 1" > events/module/module_put/trigger; echo $?
echo snapshot >> events/module/module_put/trigger; echo $?
echo '!snapshot:9' >> events/module/module_put/trigger; echo $?
cat events/module/module_put/trigger
echo "stacktrace:5 if refcnt > 1" > events/module/module_put/trigger; echo $?
echo stacktrace >> events/module/module_put/trigger; echo $?
echo '!stacktrace:9' >> events/module/module_put/trigger; echo $?
cat events/module/module_put/trigger
echo 'enable_event:signal:signal_deliver:2' >> events/module/module_put/trigger; echo $?
echo 'disable_event:signal:signal_deliver' >> events/module/module_put/trigger; echo $?
echo 'enable_event:signal:signal_generate' >> events/module/module_put/trigger; echo $?
echo 'enable_event:nosuch:signal_generate' >> events/module/module_put/trigger; echo $?
echo 'enable_event:signal' >> events/module/module_put/trigger; echo $?
echo 'enable_event:signal:' >> events/module/module_put/trigger; echo $?
cat events/module/module_put/trigger events/signal/signal_deliver/enable events/signal/signal_generate/enable events/module/module_put/enable
echo '!enable_event:signal:signal_deliver:1' >> events/module/module_put/trigger; echo $?
echo '!enable_event:signal:signal_generate' >> events/module/module_put/trigger; echo $?
echo '!disable_event:signal:signal_deliver' >> events/module/module_put/trigger; echo $?
echo '!disable_event:signal:signal_deliver' >> events/module/module_put/trigger; echo $?
cat events/module/module_put/trigger events/signal/signal_deliver/enable
cat error_log
