# An instance has the events in the other order.
mkdir instances/foo
echo module: signal: task: irq: > instances/foo/set_event
cat instances/foo/set_event
rmdir instances/foo
