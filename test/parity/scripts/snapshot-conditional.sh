# needs events/sched/sched_switch/hist
echo 'hist:keys=pid:ts0=common_timestamp.usecs' > events/sched/sched_waking/trigger
echo 'hist:keys=next_pid:lat=common_timestamp.usecs-$ts0:onmax($lat).snapshot()' > events/sched/sched_switch/trigger
for value in 0 1 2 3; do echo $value > snapshot; echo rc=$?; done
echo '!hist:keys=next_pid:lat=common_timestamp.usecs-$ts0:onmax($lat).snapshot()' >> events/sched/sched_switch/trigger
for value in 1 2 0; do echo $value > snapshot; echo rc=$?; done
echo '!hist:keys=pid:ts0=common_timestamp.usecs' >> events/sched/sched_waking/trigger
