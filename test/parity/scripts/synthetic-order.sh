# The newest event comes first in available_events and set_event; in an instance that is made afterwards it is the last.
echo 'aa int x' > synthetic_events
echo 'bb int x' >> synthetic_events
mkdir instances/foo
echo 'cc int x' >> synthetic_events
cat synthetic_events
grep -e ^synthetic: -e ^task: -e ^signal: available_events
echo 'synthetic: task: signal:' > set_event; cat set_event
echo 'synthetic: task: signal:' > instances/foo/set_event; cat instances/foo/set_event
echo > set_event
rmdir instances/foo
echo > synthetic_events; echo $?
