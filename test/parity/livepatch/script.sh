# What livepatch/ shows and refuses. Before it stands what loads a patch (`load`), and the directory of tracefs, where it begins ($TRACING). It
# is run in /sys/kernel/livepatch, or fentry's livepatch/.
settled() { while [ "$(cat $1/transition)" = 1 ]; do sleep 0.1; done; }
gone() { while [ -e $1 ]; do sleep 0.1; done; }
tell() { echo "$1: $?"; }

echo '# a patch of one function'
load one
settled one
for file in one one/enabled one/force one/transition one/vmlinux one/vmlinux/patched one/vmlinux/cmdline_proc_show,1; do stat -c '%A %n' $file; done
ls -1 one
ls -1 one/vmlinux
cat one/enabled one/transition one/vmlinux/patched
cat $TRACING/enabled_functions
load one

echo '# words for enabled and force'
for word in 1 2 x '' -1 yes on y Y oN 10 ' 1'; do echo "$word" > one/enabled; tell "enabled [$word]"; done
for word in 0 n no N off oFf 00 0x f oF ' 0' 1 y on 2 x ''; do echo "$word" > one/force; tell "force [$word]"; done
printf 0 > one/force; tell 'no end of line'
cat one/force; tell 'force is read'
echo 1 > one/transition; tell 'transition is written'
echo 1 > one/vmlinux/patched; tell 'patched is written'
echo 1 > one/other; tell 'a new file'
for command in 'mkdir one/other' 'rmdir one/vmlinux' 'rmdir one' 'rm one/enabled'; do $command 2>&1 | sed "s|.*: |$command: |"; done
cat one/enabled one/transition

echo '# other subscribers of its function'
echo cmdline_proc_show > $TRACING/set_ftrace_filter
echo function > $TRACING/current_tracer
grep cmdline_proc_show $TRACING/enabled_functions
echo 'p:probe cmdline_proc_show' > $TRACING/kprobe_events
echo 1 > $TRACING/events/kprobes/probe/enable
grep cmdline_proc_show $TRACING/enabled_functions
echo nop > $TRACING/current_tracer
grep cmdline_proc_show $TRACING/enabled_functions
echo 0 > $TRACING/events/kprobes/probe/enable
echo > $TRACING/kprobe_events
echo > $TRACING/set_ftrace_filter
cat $TRACING/enabled_functions

echo '# undone'
echo 0 > one/enabled; tell 'enabled [0]'
gone one
cat one/enabled; tell 'enabled is read'
cat $TRACING/enabled_functions

echo '# a call of the old code waits'
wait_in_pause
load both
ls -1 both/vmlinux
cat both/enabled both/transition
grep cmdline_proc_show $TRACING/enabled_functions
for word in 1 x; do echo "$word" > both/enabled; tell "enabled [$word]"; done
echo 0 > both/force; tell 'force [0]'
cat both/transition
echo 1 > both/force; tell 'force [1]'
settled both
cat both/enabled both/transition
echo 1 > both/force; tell 'force [1]'
echo 0 > both/enabled; tell 'enabled [0]'
gone both
cat $TRACING/enabled_functions | grep cmdline_proc_show
