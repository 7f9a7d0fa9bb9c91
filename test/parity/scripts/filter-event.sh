# A filter is shown as it was written; 0 takes it away.
cat events/signal/signal_generate/filter
echo 'sig == 15' > events/signal/signal_generate/filter; echo $?
cat events/signal/signal_generate/filter
echo '  (sig==15)||   (comm ~ "b*")  ' > events/signal/signal_generate/filter; echo $?
cat events/signal/signal_generate/filter
echo 'code != 0' >> events/signal/signal_generate/filter; echo $?
cat events/signal/signal_generate/filter
cat events/signal/signal_deliver/filter events/signal/filter
echo 0 > events/signal/signal_generate/filter; echo $?
cat events/signal/signal_generate/filter
echo ' 0' > events/signal/signal_generate/filter; echo $?
cat events/signal/signal_generate/filter
echo 00 > events/signal/signal_generate/filter; echo $?
cat events/signal/signal_generate/filter
echo 0 > events/signal/signal_generate/filter
