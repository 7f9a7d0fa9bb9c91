# needs events/sched/sched_switch/hist
echo 'hist:keys=é,zz' > events/sched/sched_switch/trigger
echo 'hist:keys=prev_pid:é=zz' > events/sched/sched_switch/trigger
echo 'é u64 x; zz y' > synthetic_events
cat error_log
