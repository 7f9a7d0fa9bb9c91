# dynamic_events takes and shows the same events.
echo 's:aa int x' > dynamic_events; echo $?
echo 's:synthetic/bb u64 y; char c[8]' >> dynamic_events; echo $?
cat dynamic_events synthetic_events
echo 's:other/cc int x' >> dynamic_events; echo $?
echo 's: int x' >> dynamic_events; echo $?
echo 's:dd' >> dynamic_events; echo $?
echo 's:aa int x' >> dynamic_events; echo $?
cat dynamic_events
echo '-:aa' >> dynamic_events; echo $?
echo '-:synthetic/bb' >> dynamic_events; echo $?
echo '-:aa' >> dynamic_events; echo $?
cat dynamic_events
echo 's:aa int x' >> dynamic_events
echo > dynamic_events
cat synthetic_events
cat error_log
