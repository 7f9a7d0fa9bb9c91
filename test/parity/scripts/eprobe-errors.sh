for line in 'e a.' 'e .b' 'e a.b' 'e sched/sched_switch foo' 'e:/bar sched/sched_switch' 'e:foo.1/bar sched/sched_switch' 'e: sched/sched_switch' 'e:foo/bar.1 sched/sched_switch'; do echo "$line" >> dynamic_events; echo rc=$?; done
cat dynamic_events
cat error_log
