for f in set_ftrace_pid set_ftrace_notrace_pid set_event_pid set_event_notrace_pid; do for v in 1 1,2 0 4194305 99999999 5x 0x10 010 +9 2147483648 abc 1.5; do printf $v > $f; echo $? $v; cat $f; done; done
for f in set_ftrace_pid set_ftrace_notrace_pid set_event_pid set_event_notrace_pid; do printf '7 x 8' > $f; cat $f; printf '3 2 1 1' > $f; cat $f; printf ' ' > $f; cat $f; done
for f in set_ftrace_pid set_ftrace_notrace_pid set_event_pid set_event_notrace_pid; do echo 12 > $f; echo 13 >> $f; echo >> $f; echo 14 x >> $f; cat $f; echo > $f; cat $f; done
