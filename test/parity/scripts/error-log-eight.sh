for n in 1 2 3 4 5 6 7 8 9 10; do echo bad$n >> synthetic_events; done
grep -c error: error_log
grep Command error_log
printf '' > error_log
grep -c . error_log
echo bad11 >> synthetic_events
echo x >> error_log; echo rc=$?
grep Command error_log
