stat -c '%A %n' available_events set_event dynamic_events kprobe_events kprobe_profile uprobe_events uprobe_profile synthetic_events
stat -c '%A %n' events/enable events/ftrace/function/hist events/ftrace/print events/ftrace/print/hist events/ftrace/print/trigger events/ftrace/wakeup/hist
stat -c '%A %n' events/ftrace/bprint/hist events/ftrace/raw_data/format events/ftrace/raw_data/hist events/ftrace/func_repeats/hist events/ftrace/hwlat/hist
