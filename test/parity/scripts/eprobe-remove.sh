echo 'e:x sched/sched_switch a=$prev_pid b=$next_pid' >> dynamic_events
echo 'e:y sched/sched_switch' >> dynamic_events
echo 'e:z sched/sched_switch' >> dynamic_events
for line in '-:x sched' '-:x sched/nosuch' '-:x sched/sched_switch a=$prev_prio' '-:x sched/sched_switch a=$prev_pid' '-:y sched.sched_switch' '-:eprobes/' '-:eprobes/z sched/sched_switch'; do echo "$line" >> dynamic_events; echo rc=$?; done
cat dynamic_events
cat error_log
