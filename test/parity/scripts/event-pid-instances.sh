# Each instance has its own lists.
mkdir instances/foo
echo 1 2 > instances/foo/set_event_pid; echo $?
echo 3 > instances/foo/set_event_notrace_pid; echo $?
cat instances/foo/set_event_pid instances/foo/set_event_notrace_pid
cat set_event_pid set_event_notrace_pid
echo 4 > set_event_pid
cat instances/foo/set_event_pid
rmdir instances/foo; echo $?
mkdir instances/foo
cat instances/foo/set_event_pid
rmdir instances/foo
