# The wakeup latency of the kernel's documentation.
echo 'wakeup_latency u64 lat; pid_t pid; int prio' > synthetic_events; echo $?
echo 'hist:keys=pid:ts0=common_timestamp.usecs if comm=="nosuch"' >> events/sched/sched_waking/trigger; echo $?
echo 'hist:keys=next_pid:wakeup_lat=common_timestamp.usecs-$ts0:onmatch(sched.sched_waking).wakeup_latency($wakeup_lat,next_pid,next_prio) if next_comm=="nosuch"' >> events/sched/sched_switch/trigger; echo $?
echo 'hist:keys=pid,prio,lat:sort=pid,lat' >> events/synthetic/wakeup_latency/trigger; echo $?
cat events/sched/sched_waking/trigger events/sched/sched_switch/trigger events/synthetic/wakeup_latency/trigger
cat events/synthetic/wakeup_latency/hist
cat events/sched/sched_switch/hist
echo > synthetic_events; echo $?
printf '' > events/sched/sched_waking/trigger; echo $?
cat events/sched/sched_waking/trigger
printf '' > events/synthetic/wakeup_latency/trigger
printf '' > events/sched/sched_switch/trigger
printf '' > events/sched/sched_waking/trigger
cat events/sched/sched_waking/trigger events/sched/sched_switch/trigger
echo > synthetic_events; echo $?
cat synthetic_events
