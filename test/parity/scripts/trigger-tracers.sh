# Of the tracers' events those have triggers that can be called.
stat -c '%A %n' events/ftrace/print/trigger events/ftrace/function/format
echo traceoff > events/ftrace/print/trigger; echo $?
grep traceoff events/ftrace/print/trigger
echo '!traceoff' > events/ftrace/print/trigger; echo $?
cat events/ftrace/print/trigger
echo 'traceoff if ip == 0' > events/ftrace/print/trigger; echo $?
cat events/ftrace/print/trigger
echo '!traceoff' > events/ftrace/print/trigger; echo $?
echo enable_event:ftrace:print > events/module/module_load/trigger; echo $?
cat events/module/module_load/enable
