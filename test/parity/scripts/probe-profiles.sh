cat kprobe_profile uprobe_profile
echo x > kprobe_profile; echo rc=$?
echo > uprobe_profile; echo rc=$?
