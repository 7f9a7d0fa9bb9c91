# needs events/sched/sched_switch/hist
mkdir instances/a
echo 'hist:keys=pid:ts0=common_timestamp.usecs' > instances/a/events/sched/sched_waking/trigger
rmdir instances/a
echo '!hist:keys=pid:ts0=common_timestamp.usecs' > instances/a/events/sched/sched_waking/trigger
echo 'hist:keys=pid' > instances/a/events/sched/sched_waking/trigger
rmdir instances/a
