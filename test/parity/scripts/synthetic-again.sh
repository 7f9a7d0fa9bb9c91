# The same name again.
echo 'aa int x' > synthetic_events
echo 'aa int x' >> synthetic_events; echo $?
echo 'aa int y' >> synthetic_events; echo $?
echo 'aa' >> synthetic_events; echo $?
cat synthetic_events
cat error_log
echo > synthetic_events
