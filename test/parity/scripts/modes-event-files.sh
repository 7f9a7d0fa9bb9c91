# The modes of an event's and a system's files.
stat -c '%A %n' events events/enable events/header_page events/header_event events/module events/module/enable events/module/filter
stat -c '%A %n' events/module/module_load events/module/module_load/enable events/module/module_load/filter events/module/module_load/format events/module/module_load/hist events/module/module_load/id events/module/module_load/trigger
stat -c '%A %n' set_event set_event_pid set_event_notrace_pid available_events
stat -c '%A %n' events/ftrace events/ftrace/function events/ftrace/function/format events/ftrace/function/id
