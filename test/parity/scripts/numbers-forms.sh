# Every form of a number, into every file that takes one.
for v in 99999999999999999999 0x10 010 5abc 5 +7 1.5 0b1 -1; do echo $v > max_graph_depth; echo max_graph_depth $v rc=$?; cat max_graph_depth; done
echo ' 5 ' > max_graph_depth; echo max_graph_depth ' 5 ' rc=$?; cat max_graph_depth
echo '5 6' > max_graph_depth; echo max_graph_depth '5 6' rc=$?; cat max_graph_depth
echo 0 > max_graph_depth
for v in 99999999999999999999 0x10 010 5abc 5 +7 1.5 0b1 -1; do echo $v > saved_cmdlines_size; echo saved_cmdlines_size $v rc=$?; cat saved_cmdlines_size; done
echo ' 5 ' > saved_cmdlines_size; echo saved_cmdlines_size ' 5 ' rc=$?; cat saved_cmdlines_size
echo '5 6' > saved_cmdlines_size; echo saved_cmdlines_size '5 6' rc=$?; cat saved_cmdlines_size
echo 128 > saved_cmdlines_size
for v in 99999999999999999999 0x10 010 5abc 5 +7 1.5 0b1 -1; do echo $v > buffer_percent; echo buffer_percent $v rc=$?; cat buffer_percent; done
echo ' 5 ' > buffer_percent; echo buffer_percent ' 5 ' rc=$?; cat buffer_percent
echo '5 6' > buffer_percent; echo buffer_percent '5 6' rc=$?; cat buffer_percent
echo 50 > buffer_percent
for v in 99999999999999999999 0x10 010 5abc 5 +7 1.5 0b1 -1; do echo $v > tracing_thresh; echo tracing_thresh $v rc=$?; cat tracing_thresh; done
echo ' 5 ' > tracing_thresh; echo tracing_thresh ' 5 ' rc=$?; cat tracing_thresh
echo '5 6' > tracing_thresh; echo tracing_thresh '5 6' rc=$?; cat tracing_thresh
echo 0 > tracing_thresh
for v in 99999999999999999999 0x10 010 5abc 5 +7 1.5 0b1 -1; do echo $v > set_ftrace_pid; echo set_ftrace_pid $v rc=$?; cat set_ftrace_pid; done
echo ' 5 ' > set_ftrace_pid; echo set_ftrace_pid ' 5 ' rc=$?; cat set_ftrace_pid
echo '5 6' > set_ftrace_pid; echo set_ftrace_pid '5 6' rc=$?; cat set_ftrace_pid
echo  > set_ftrace_pid
for v in 99999999999999999999 0x10 010 5abc 5 +7 1.5 0b1 -1; do echo $v > set_ftrace_notrace_pid; echo set_ftrace_notrace_pid $v rc=$?; cat set_ftrace_notrace_pid; done
echo ' 5 ' > set_ftrace_notrace_pid; echo set_ftrace_notrace_pid ' 5 ' rc=$?; cat set_ftrace_notrace_pid
echo '5 6' > set_ftrace_notrace_pid; echo set_ftrace_notrace_pid '5 6' rc=$?; cat set_ftrace_notrace_pid
echo  > set_ftrace_notrace_pid
for v in 99999999999999999999 0x10 010 5abc 5 +7 1.5 0b1 -1; do echo $v > set_event_pid; echo set_event_pid $v rc=$?; cat set_event_pid; done
echo ' 5 ' > set_event_pid; echo set_event_pid ' 5 ' rc=$?; cat set_event_pid
echo '5 6' > set_event_pid; echo set_event_pid '5 6' rc=$?; cat set_event_pid
echo  > set_event_pid
for v in 99999999999999999999 0x10 010 5abc 5 +7 1.5 0b1 -1; do echo $v > set_event_notrace_pid; echo set_event_notrace_pid $v rc=$?; cat set_event_notrace_pid; done
echo ' 5 ' > set_event_notrace_pid; echo set_event_notrace_pid ' 5 ' rc=$?; cat set_event_notrace_pid
echo '5 6' > set_event_notrace_pid; echo set_event_notrace_pid '5 6' rc=$?; cat set_event_notrace_pid
echo  > set_event_notrace_pid
for v in 99999999999999999999 0x10 010 5abc 5 +7 1.5 0b1; do echo $v > buffer_size_kb; echo buffer_size_kb $v rc=$?; cat buffer_size_kb; done
echo ' 5 ' > buffer_size_kb; echo buffer_size_kb ' 5 ' rc=$?; cat buffer_size_kb
echo '5 6' > buffer_size_kb; echo buffer_size_kb '5 6' rc=$?; cat buffer_size_kb
echo 1408 > buffer_size_kb
for v in 99999999999999999999 0x1 01 1abc -1 +1 2 1; do echo $v > events/sched/sched_switch/enable; echo events/sched/sched_switch/enable $v rc=$?; done
echo ' 1 ' > events/sched/sched_switch/enable; echo events/sched/sched_switch/enable blanks rc=$?
echo 0 > events/sched/sched_switch/enable
for v in 99999999999999999999 0x1 01 1abc -1 +1 2 1; do echo $v > events/sched/enable; echo events/sched/enable $v rc=$?; done
echo ' 1 ' > events/sched/enable; echo events/sched/enable blanks rc=$?
echo 0 > events/sched/enable
for v in 99999999999999999999 0x1 01 1abc -1 +1 2 1; do echo $v > events/enable; echo events/enable $v rc=$?; done
echo ' 1 ' > events/enable; echo events/enable blanks rc=$?
echo 0 > events/enable
for v in 99999999999999999999 0x1 01 1abc -1 +1 2 1; do echo $v > tracing_on; echo tracing_on $v rc=$?; done
echo ' 1 ' > tracing_on; echo tracing_on blanks rc=$?
echo 1 > tracing_on
for v in 99999999999999999999 0x1 01 1abc -1 +1 2 1; do echo $v > options/overwrite; echo options/overwrite $v rc=$?; done
echo ' 1 ' > options/overwrite; echo options/overwrite blanks rc=$?
echo 1 > options/overwrite
