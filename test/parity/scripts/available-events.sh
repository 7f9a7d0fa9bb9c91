grep -c ftrace: available_events
grep -v -c : available_events
echo x > available_events; echo rc=$?
