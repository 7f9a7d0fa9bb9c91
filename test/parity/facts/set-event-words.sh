# What `set_event` shows after each write, sorted, of the systems `irq`, `task` and `synthetic`: `--- WORD`, the errno, the events.
# needs synthetic_events
echo 'irq int a' > synthetic_events
echo 'task_rename int b' >> synthetic_events
show() { grep -E '^(irq|task|synthetic):' "$1" | sort; }
echo '--- all'
show available_events
while IFS= read -r word; do
  echo "--- $word"
  err=$({ printf '%s' "$word" >> set_event; } 2>&1)
  echo "${err##*: }"
  show set_event
done <<'WORDS'
task_rename
!task_rename
task:task_rename
:task_rename
!*:task_rename
irq
!irq:
irq:
!irq:*
irq:*
!synthetic:
!irq:softirq_raise
!*:*
irq:soft*
ir?:*
*:task_rename
*:task
!:
*
:
!*
!:
*:*
!*:*
zz
!zz
irq:zz
zz:
task:task_rename:x
!
!!task:task_rename
task:task_rename zz irq:softirq_exit
task:task_newtask,irq:softirq_exit
!task:task_rename irq:softirq_exit
ftrace:print
ftrace:*
print
TASK:task_rename
!*:
WORDS
