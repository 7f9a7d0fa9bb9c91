# A NUL ends the text, and each write is a filter of its own.
printf 'sig == 1\000 || nosuch' > events/signal/signal_generate/filter; echo $?
cat events/signal/signal_generate/filter
printf '\000sig == 1' > events/signal/signal_generate/filter; echo $?
cat events/signal/signal_generate/filter
{ echo 'sig == 1'; echo 'code == 2'; } > events/signal/signal_generate/filter; echo $?
cat events/signal/signal_generate/filter
printf '0\000x' > events/signal/signal_generate/filter; echo $?
cat events/signal/signal_generate/filter
printf 'sig == 3' > events/signal/signal_generate/filter; echo $?
cat events/signal/signal_generate/filter
printf '' > events/signal/signal_generate/filter; echo $?
cat events/signal/signal_generate/filter
echo 0 > events/signal/signal_generate/filter
