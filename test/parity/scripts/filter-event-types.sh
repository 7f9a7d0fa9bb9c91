# Numbers by the field's type, texts, and what every event has.
for f in 'sig == -1' 'sig == 0x1f' 'sig == 017' 'sig == 08' 'sig == 4294967296' 'pid & 1' 'group >= 2' 'result <= 3' 'comm ~ "ba?h"' "comm != 'x y'" 'comm == ""' 'common_pid != 0' 'common_type > 3' 'common_flags & 1' 'common_preempt_count == 0' 'COMM == "bash"' 'CPU == 1' 'cpu != 0'; do echo "$f" > events/signal/signal_generate/filter; echo $?; cat events/signal/signal_generate/filter; done
for f in 'next_comm ~ "x" && prev_state & 1' '!(prev_prio < next_prio)' 'prev_state == 0x7fffffffffffffff'; do echo "$f" > events/sched/sched_switch/filter; echo $?; cat events/sched/sched_switch/filter; done
echo 0 > events/signal/signal_generate/filter
echo 0 > events/sched/sched_switch/filter
