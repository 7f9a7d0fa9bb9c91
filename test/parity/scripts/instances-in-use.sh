# Which open files hold an instance.
mkdir instances/used
exec 5< instances/used/events/ftrace/print/hist
rmdir instances/used
exec 5<&-
rmdir instances/used
echo $?
mkdir instances/used
exec 5< instances/used/events/enable
rmdir instances/used
exec 5<&-
rmdir instances/used
echo $?
mkdir instances/used
exec 5< instances/used/options/overwrite
rmdir instances/used
exec 5<&-
rmdir instances/used
echo $?
mkdir instances/used
exec 5< instances/used/tracing_cpumask
rmdir instances/used
exec 5<&-
rmdir instances/used
echo $?
mkdir instances/used
exec 5< instances/used/trace_clock
rmdir instances/used
exec 5<&-
rmdir instances/used
echo $?
mkdir instances/used
exec 5< instances/used/per_cpu/cpu0/stats
rmdir instances/used
exec 5<&-
rmdir instances/used
echo $?
mkdir instances/used
exec 5< instances/used/trace_marker
rmdir instances/used
exec 5<&-
rmdir instances/used
echo $?
mkdir instances/used
exec 5< instances/used/events/ftrace/print/format
rmdir instances/used
echo $?
exec 5<&-
mkdir instances/used
exec 5< instances/used/events/ftrace/print/id
rmdir instances/used
echo $?
exec 5<&-
mkdir instances/used
exec 5< instances/used/events/ftrace/print/trigger
rmdir instances/used
echo $?
exec 5<&-
