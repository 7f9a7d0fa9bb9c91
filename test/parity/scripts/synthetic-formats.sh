# The format files, but for the numbers of the events.
echo 'aa int x; u8 y; char comm[16]; char dyn[]; unsigned long z; bool b; pid_t p; gfp_t g; s64 w' > synthetic_events; echo $?
grep -v ID: events/synthetic/aa/format
echo 'bb u64 lat' >> synthetic_events; echo $?
grep -v ID: events/synthetic/bb/format
stat -c '%A %n' events/synthetic events/synthetic/aa events/synthetic/aa/enable events/synthetic/aa/id events/synthetic/aa/hist events/synthetic/aa/filter events/synthetic/aa/trigger
echo > synthetic_events
