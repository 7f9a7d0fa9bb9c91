# A system's filter goes to the events that have its fields; the others get an error.
cat events/signal/filter events/task/filter
echo 'sig == 9' > events/signal/filter; echo $?
cat events/signal/filter events/signal/signal_generate/filter events/signal/signal_deliver/filter
echo 'group == 1' > events/signal/filter; echo $?
cat events/signal/filter events/signal/signal_generate/filter events/signal/signal_deliver/filter
echo 'sa_flags != 0 && sig == 1' > events/signal/filter; echo $?
cat events/signal/signal_generate/filter events/signal/signal_deliver/filter
echo 0 > events/signal/filter; echo $?
cat events/signal/filter events/signal/signal_generate/filter events/signal/signal_deliver/filter
