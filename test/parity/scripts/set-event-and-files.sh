# set_event and enable are two views of one state.
echo 1 > events/signal/signal_deliver/enable
cat set_event
echo signal:signal_generate >> set_event
cat events/signal/enable events/signal/signal_generate/enable
echo '!signal:' >> set_event
cat events/signal/enable events/signal/signal_deliver/enable
echo '*:*' > set_event
cat events/enable
echo '!sched:sched_switch' >> set_event
cat events/enable events/sched/enable events/sched/sched_switch/enable
echo ':' >> set_event
cat events/enable
echo '!:' >> set_event
cat events/enable
