# What an instance has of events.
mkdir instances/foo
stat -c '%A %n' instances/foo/set_event instances/foo/set_event_pid instances/foo/set_event_notrace_pid instances/foo/events
stat -c '%A %n' instances/foo/events/enable instances/foo/events/module/enable instances/foo/events/module/filter instances/foo/events/module/module_load/format
cat instances/foo/synthetic_events; echo $?
cat instances/foo/events/header_page; echo $?
cat instances/foo/events/ftrace/function/id; echo $?
cat instances/foo/available_events; echo $?
echo task: > instances/foo/set_event
cat instances/foo/set_event
echo nosuch > instances/foo/set_event; echo $?
echo 'nosuch == 1' > instances/foo/events/task/task_rename/filter; echo $?
cat instances/foo/error_log
cat error_log
rmdir instances/foo
