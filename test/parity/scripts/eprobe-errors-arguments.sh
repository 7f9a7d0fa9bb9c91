for line in 'e:foo/bar sched/sched_switch arg=dfd' 'e:foo/bar sched/sched_switch arg=$foo' 'e:foo/bar sched/sched_switch if' 'e:foo/bar sched/sched_switch a=$prev_pid if nosuch == 1' 'e:foo/bar sched/sched_switch $prev_pid:y8' 'e:foo/bar sched/sched_switch a=$prev_pid a=$next_pid' 'e x' 'e'; do echo "$line" >> dynamic_events; echo rc=$?; done
cat dynamic_events
cat error_log
