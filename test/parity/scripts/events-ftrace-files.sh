# What the tracers' events have and what they lack.
for e in function funcgraph_entry print bprint bputs raw_data kernel_stack user_stack hwlat func_repeats; do for f in enable filter trigger id; do grep -c . events/ftrace/$e/$f; done; done
echo ftrace > set_event; echo $?
echo ftrace:function > set_event; echo $?
echo 1 > events/ftrace/enable; echo $?
echo 'ip == 0' > events/ftrace/function/filter; echo $?
cat set_event
