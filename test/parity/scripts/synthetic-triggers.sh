# Synthetic events have filters and triggers as any event has.
echo 'aa int x; char c[16]; char d[]' > synthetic_events
for f in 'x == 1' 'c == "a"' 'd ~ "b*"' 'x == "a"' 'nosuch == 1' 0; do echo "$f" > events/synthetic/aa/filter; echo "$f $?"; cat events/synthetic/aa/filter; done
echo 'traceoff:2 if x > 3' > events/synthetic/aa/trigger; echo $?
cat events/synthetic/aa/trigger events/synthetic/aa/enable
echo 'enable_event:synthetic:aa' > events/module/module_load/trigger; echo $?
echo '!aa' >> synthetic_events; echo $?
echo '!traceoff' > events/synthetic/aa/trigger
echo '!enable_event:synthetic:aa' > events/module/module_load/trigger; echo $?
echo '!aa' >> synthetic_events; echo $?
cat synthetic_events
