# if and a filter.
for t in 'traceoff if refcnt == 1' 'traceoff:5 if name ~ "a*"' '  traceoff   if   refcnt==1  ' 'traceoff if' 'traceoff if ' 'traceoff when refcnt == 1' 'traceoff if nosuch == 1' 'traceoff if (refcnt == 1' 'traceoff if refcnt == x' 'traceoff refcnt == 1' 'traceoff ifrefcnt == 1'; do echo "$t" > events/module/module_put/trigger; echo "$t $?"; cat events/module/module_put/trigger; echo '!traceoff' > events/module/module_put/trigger; done
cat error_log
cat events/module/module_put/enable
