# needs events/sched/sched_switch/hist
for line in 'traceon' 'snapshot' 'stacktrace' 'enable_event:sched:sched_waking' 'enable_hist:sched:sched_waking' 'hist:keys=prev_pid'; do echo "$line" >> events/sched/sched_switch/trigger; echo rc=$?; done
cat events/sched/sched_switch/trigger
printf '' > events/sched/sched_switch/trigger
cat events/sched/sched_switch/trigger
for line in '!traceon' '!snapshot' '!stacktrace' '!enable_event:sched:sched_waking'; do echo "$line" >> events/sched/sched_switch/trigger; done
