# Each kind of error, in the file and in error_log; the event has no filter then.
for f in 'nosuch == 1' 'sig' 'sig ==' 'sig == x' 'sig == "x"' 'comm == 1' 'comm < "x"' '(sig == 1' 'sig == 1)' 'sig == 1 &&' 'sig == 1 sig' 'sig = 1' 'comm == "x' '&&' '!'; do echo "$f" > events/signal/signal_generate/filter; echo "$f: $?"; cat events/signal/signal_generate/filter; done
cat error_log
echo 0 > events/signal/signal_generate/filter
cat events/signal/signal_generate/filter
