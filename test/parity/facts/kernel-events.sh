# The kernel's events that scripts speak of, in the order of available_events: each one's system and `format`.
for event in $(grep -E '^(irq|module|printk|sched|signal|task|workqueue):' available_events); do
  echo "=== ${event%%:*}"
  cat "events/${event/://}/format"
done
