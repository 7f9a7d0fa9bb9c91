# A filter that suits no event of the system.
echo 'sig == 9' > events/signal/filter
echo 'nosuch == 1' > events/signal/filter; echo $?
cat events/signal/filter events/signal/signal_generate/filter events/signal/signal_deliver/filter
echo 0 > events/signal/filter; echo $?
cat events/signal/filter events/signal/signal_generate/filter
echo 'sig == ' > events/signal/filter; echo $?
cat events/signal/filter events/signal/signal_generate/filter
echo 0 > events/signal/filter
echo '(sig == 1' > events/signal/filter; echo $?
cat events/signal/filter events/signal/signal_generate/filter
echo > events/signal/filter; echo $?
echo none > events/signal/filter; echo $?
echo 0 > events/signal/filter
