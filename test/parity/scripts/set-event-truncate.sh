# Opening with > disables everything, a write without a word or with a refused one included.
echo module:module_load > set_event
echo signal:signal_deliver > set_event; cat set_event
echo > set_event; cat set_event
echo module: >> set_event
echo nosuch > set_event; echo $?
cat set_event
echo module: >> set_event
{ echo signal:signal_deliver; echo task:task_rename; } > set_event; cat set_event
echo 1 > events/module/enable
echo task:task_newtask >> set_event; cat set_event
printf '' > set_event
cat set_event
