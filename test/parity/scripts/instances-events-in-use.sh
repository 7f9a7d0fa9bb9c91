# An open file of an event keeps the instance; format does not.
mkdir instances/foo
exec 5< instances/foo/events/module/module_load/enable
rmdir instances/foo; echo $?
exec 5<&-
exec 5< instances/foo/events/module/module_load/filter
rmdir instances/foo; echo $?
exec 5<&-
exec 5< instances/foo/events/module/filter
rmdir instances/foo; echo $?
exec 5<&-
exec 5< instances/foo/set_event
rmdir instances/foo; echo $?
exec 5<&-
exec 5< instances/foo/events/module/module_load/trigger
rmdir instances/foo; echo $?
exec 5<&-
mkdir instances/foo
rmdir instances/foo
