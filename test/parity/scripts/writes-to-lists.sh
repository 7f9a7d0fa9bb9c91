for file in README available_events available_tracers buffer_total_size_kb timestamp_mode saved_tgids printk_formats kprobe_profile uprobe_profile; do echo 1 > $file; echo $file rc=$?; done
for file in per_cpu/cpu0/stats events/header_event events/ftrace/print/format events/ftrace/print/id; do echo 1 > $file; echo $file rc=$?; done
