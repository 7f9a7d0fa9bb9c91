echo nosuch > events/ftrace/print/trigger; echo rc=$?
echo nosuch:1 > events/ftrace/print/trigger; echo rc=$?
echo > events/ftrace/print/trigger; echo rc=$?
grep -c 'Available triggers' events/ftrace/print/trigger
