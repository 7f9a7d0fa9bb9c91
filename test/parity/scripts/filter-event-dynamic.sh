# Texts whose length each record has, unsigned fields, pointers and bools.
for f in 'name == "x"' 'name ~ "x*"' 'name == 1' 'taints == 0' 'taints == -1'; do echo "$f" > events/module/module_load/filter; echo $?; cat events/module/module_load/filter; done
for f in 'wait == 1' 'wait == 2' 'wait == true' 'ip > 0' 'ip == 0xffffffff81000000' 'ip == schedule'; do echo "$f" > events/module/module_request/filter; echo $?; cat events/module/module_request/filter; done
for f in 'func == 0' 'func == "x"' 'tasklet & 0xff'; do echo "$f" > events/irq/tasklet_entry/filter; echo $?; cat events/irq/tasklet_entry/filter; done
for f in 'msg ~ "*oops*"' 'msg < "x"'; do echo "$f" > events/printk/console/filter; echo $?; cat events/printk/console/filter; done
for e in module/module_load module/module_request irq/tasklet_entry printk/console; do echo 0 > events/$e/filter; done
