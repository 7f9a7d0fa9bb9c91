for line in 'a=$nope 1bad=$prev_pid' 'a=$nope b=+0(' 'b=+0( a=$nope' 'a=$prev_pid a=$nope' 'a=$nope:u99' 'a=$prev_pid b=$nope c=$prev_pid:zz' 'a=+0($nope):string'; do echo "e:x sched.sched_switch $line" >> dynamic_events; echo rc=$?; done
cat error_log
echo > error_log
for line in 'a=%ax' '$nope' 'a=$stack' 'a=$retval' 'a=$arg1' 'a=$stack0 b=%ax' 'a=$prev_pid[2]' 'a=$' 'a=@'; do echo "e:x sched.sched_switch $line" >> dynamic_events; echo rc=$?; done
cat error_log
