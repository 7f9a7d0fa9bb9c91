# What one event's `trigger` shows after each write: `--- WRITE`, the errno if there is one, the file.
# needs events/task/task_rename/hist
echo 'p:kprobes/pe __x64_sys_kill a=\-1:s32 d=\"x":string' > kprobe_events
file=events/kprobes/pe/trigger
while IFS= read -r line; do
  echo "--- $line"
  err=$({ printf '%s\n' "$line" >> $file; } 2>&1)
  echo "${err##*: }"
  cat $file
done <<'TRIGGERS'
traceon
traceoff
traceon
!traceoff
traceoff:5
traceon:3
!traceon:7 if zzz
!traceon:garbage
traceoff:0
!traceoff
traceoff:-1
traceoff:0x10
!traceoff
traceoff:010:5 if a == 1
!traceoff
traceoff:+5
traceoff:5x
traceoff:
!traceoff
traceoff: 5
!traceoff
traceoff 5
!traceoff
traceoff	6	if	a == 1
!traceoff
traceoff :5
traceoff if a == 1
!traceoff
   traceoff   if    a == 1  
!traceoff
traceoff if
traceoff iff a == 1
traceoff a == 1
traceoff:if a == 1
!traceoff
traceoff if zzz == 1
traceoff if (a == 1
traceoff if a == 1)
traceoff if d == "x
traceoff if a == 1 b
traceoff if && a
traceoff if 0
traceoff if ()
traceoff:5 if a == 1
!traceoff
traceoff:5if a == 1
traceoff:18446744073709551615
!traceoff
traceoff:18446744073709551616
traceoff:18446744073709551614
!traceoff
traceoff:9223372036854775808
!traceoff
traceoff:x
stacktrace
stacktrace:2
snapshot:1
snapshot
traceoff
enable_event
enable_event:task
enable_event:task:
enable_event::task_rename
enable_event:task:zz
enable_event:zz:task_rename
enable_event:task:task_rename
disable_event:task:task_rename
enable_event:task:task_newtask:5
enable_event:task:task_newtask:6
enable_event:task:task_newtask:x
enable_event:task:zz:x
disable_event:signal:signal_generate:5 if a == 1
disable_event:signal:signal_deliver: if a == 1
disable_event:signal:signal_deliver:x if a == 1
disable_event:signal:signal_deliver:3:4 if a == 1
disable_event:kprobes:pe if zz == 1
disable_event:kprobes:pe if
disable_event:kprobes:pe fi
disable_event:kprobes:pe
enable_event:task:*
enable_event:*:*
enable_event:ftrace:print
enable_event: signal:signal_generate
enable_event signal:signal_generate
enable_event:signal :signal_generate
!disable_event:signal:signal_generate
!enable_event:signal:signal_deliver:99 if garbage
!enable_event:syscalls:zz
!enable_event
!enable_event:task
!enable_event:task:task_newtask
!zz
zz

 
:
!
! traceoff
!!traceoff
  traceoff
TRACEOFF
traceoff2
enable_hist:task:task_rename
disable_hist:task:task_rename
enable_hist:task:task_newtask:3 if a > 1
!disable_hist:task:task_rename
!snapshot
!snapshot
!stacktrace
TRIGGERS
cat error_log
