# A refused filter takes the place of a good one.
echo 'sig == 1' > events/signal/signal_generate/filter
echo 'nosuch == 1' > events/signal/signal_generate/filter; echo $?
cat events/signal/signal_generate/filter
echo 'sig == 2' > events/signal/signal_generate/filter; echo $?
cat events/signal/signal_generate/filter
echo > events/signal/signal_generate/filter; echo $?
cat events/signal/signal_generate/filter
echo ' ' > events/signal/signal_generate/filter; echo $?
cat events/signal/signal_generate/filter
echo none > events/signal/signal_generate/filter; echo $?
cat events/signal/signal_generate/filter
echo 0 > events/signal/signal_generate/filter
