# Events are defined one a line, and shown as they are kept.
echo 'aa int x' > synthetic_events; echo $?
echo 'bb u64 lat; pid_t pid; char comm[16]' >> synthetic_events; echo $?
echo 'cc  unsigned long  a ;char[8] b' >> synthetic_events; echo $?
cat synthetic_events
echo 'dd int x' > synthetic_events
cat synthetic_events
echo 'aa int x' >> synthetic_events; echo $?
cat synthetic_events dynamic_events
cat events/synthetic/enable events/synthetic/aa/enable
grep synthetic: available_events
grep -v ID: events/synthetic/aa/format
cat events/synthetic/aa/trigger
echo > synthetic_events
cat synthetic_events
cat events/synthetic/aa/enable
