# needs events/sched/sched_switch/hist
for line in 'x=common_timestamp.usecs-$x' 'x=$x+1' 'x=$x' 'y=$x:x=prev_pid' 'y=$x' 'x=prev_pid+$x:vals=$x' 'x=prev_pid+prev_prio+$x' 'x=prev_pid+$x+prev_prio'; do echo "hist:keys=prev_pid:$line" > events/sched/sched_switch/trigger; echo rc=$?; cat events/sched/sched_switch/trigger; printf '' > events/sched/sched_switch/trigger; done
cat error_log
