for line in 'e sched/sched_switch' 'e:x sched.sched_switch $prev_pid' 'e:y sched/sched_switch a=$prev_pid:u32 b=$prev_comm:string c=$COMM:string' 'e:g/ sched/sched_wakeup p=$pid' 'e:z sched/sched_switch a=$prev_pid if prev_pid > 3' 'e5:w sched/sched_switch'; do echo "$line" >> dynamic_events; echo rc=$?; done
cat dynamic_events
cat error_log
