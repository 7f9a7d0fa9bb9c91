# While trace is open with pause-on-trace, tracing_on shows 0, and cannot be written 0.
echo 1 > options/pause-on-trace
exec 5< trace
cat tracing_on
echo paused > trace_marker
echo 1 > tracing_on
echo $?
cat tracing_on
exec 5<&-
cat tracing_on
exec 5< per_cpu/cpu1/trace
echo 0 > tracing_on
cat tracing_on
exec 5<&-
cat tracing_on
echo 0 > tracing_on
exec 5< trace
echo 1 > tracing_on
cat tracing_on
exec 5<&-
cat tracing_on
exec 5< trace
echo 0 > options/pause-on-trace
cat tracing_on
exec 5<&-
cat tracing_on
exec 5< snapshot
cat tracing_on
exec 5<&-
