# Removal, and what is refused while an event is in use.
echo 'aa int x' > synthetic_events
echo 'bb int y' >> synthetic_events
echo '!aa' >> synthetic_events; echo $?
cat synthetic_events
echo '!aa' >> synthetic_events; echo $?
echo '!bb int y' >> synthetic_events; echo $?
cat synthetic_events
echo 'cc int z' > synthetic_events
echo 1 > events/synthetic/cc/enable; echo $?
echo '!cc' >> synthetic_events; echo $?
echo > synthetic_events; echo $?
cat synthetic_events
echo 0 > events/synthetic/cc/enable
echo '!cc' >> synthetic_events; echo $?
echo 'cc int z' > synthetic_events
echo 'hist:keys=z' > events/synthetic/cc/trigger
echo '!cc' >> synthetic_events; echo $?
printf '' > events/synthetic/cc/trigger
echo '!cc' >> synthetic_events; echo $?
cat synthetic_events
