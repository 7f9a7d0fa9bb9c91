for line in 'prév == 1' 'prev_comm == "é" && zz == 1' 'prev_comm == "ééé" &| prev_pid == 1' 'prev_comm == "日本" && prev_pid == é'; do echo "$line" > events/sched/sched_switch/filter; echo rc=$?; cat events/sched/sched_switch/filter; done
echo 'p:é schedule' >> kprobe_events
echo 'p:z schedule é=$zz' >> kprobe_events
echo 'p:z schedule a=\"é" b=$zz' >> kprobe_events
echo 'p:z schédule a=$zz' >> kprobe_events
cat error_log
