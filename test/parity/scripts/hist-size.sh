# The size is a power of two within bounds.
for t in size=128 size=200 size=2048 size=131072 size=64 size=1 size=0 size=-1 size=262144 size=x size=0x100 size=; do echo "hist:keys=ip:$t" > events/module/module_put/trigger; echo "$t $?"; cat events/module/module_put/trigger; done
printf '' > events/module/module_put/trigger
