# Records the samples of this folder with trace-cmd on a real kernel (Linux 6.1, trace-cmd 3.1.6, two CPUs, as root with
# the tracing directory as its working directory) and prints each as base64 of its gzip. unpack-samples.mjs turns what
# this prints into the files.
#
# Symbols and event formats are cut to what the samples need, so that a sample is a few KB: trace-cmd takes them
# from /proc/kallsyms and the events folder, over which cut copies are mounted.
cut=/tmp/cut
mkdir -p $cut/events/ftrace
grep -E ' [tT] (vfs_|ksys_|mutex_|__fdget|security_file|rw_verify|tracing_mark_write|do_syscall_64|apparmor_file|__x64_sys)' /proc/kallsyms > $cut/kallsyms
cp events/header_page events/header_event $cut/events/
for event in function funcgraph_entry funcgraph_exit print bputs bprint kernel_stack context_switch func_repeats; do
  mkdir $cut/events/ftrace/$event
  cp events/ftrace/$event/format $cut/events/ftrace/$event/
done
echo 0 > $cut/events/enable
: > $cut/printk_formats
mount --bind $cut/kallsyms /proc/kallsyms
mount --bind $cut/events events
mount --bind $cut/printk_formats printk_formats

record() { # NAME OPTIONS... -- COMMAND...
  name=$1
  shift
  : > trace
  trace-cmd record -q -o /tmp/$name.dat "$@" > /tmp/record.log 2>&1 || { echo "$name failed:"; cat /tmp/record.log; }
  print $name
}

print() {
  echo "@@ $1.dat.gz"
  gzip -9 -c /tmp/$1.dat | base64
}

read_files='for i in 1 2 3; do busybox cat /proc/version > /dev/null; done'
record function --compression none -p function -l 'vfs_*' -l 'ksys_*' sh -c 'busybox ls / > /dev/null'
record graph --compression none -p function_graph -l 'vfs_*' -l 'ksys_*' -l '__fdget*' -l 'security_file*' -l 'mutex_*' sh -c "$read_files"
record marker --compression none -p function -l vfs_write -O func_stack_trace sh -c 'echo hello > trace_marker; echo -n "no newline" > trace_marker'
record counter --compression none -C counter -p function -l 'vfs_*' sh -c 'busybox ls / > /dev/null'
record repeats --compression none -p function -l vfs_read -l vfs_open -O func-no-repeats \
  sh -c 'dd if=/dev/zero of=/dev/null bs=1 count=200; busybox cat /proc/version'
echo 0 > options/func-no-repeats
record zstd --compression zstd -p function_graph -l 'vfs_*' sh -c "$read_files"
record version6 --file-version 6 -p function_graph -l 'vfs_*' sh -c "$read_files"
trace-cmd start -b 8 -p function -l 'vfs_*' -l 'mutex_*lock'
for i in 1 2 3 4 5 6; do busybox ls / > /dev/null; done
trace-cmd stop
trace-cmd extract -o /tmp/extracted.dat > /dev/null 2>&1
trace-cmd reset
trace-cmd convert -i /tmp/extracted.dat -o /tmp/lost.dat --compression none > /dev/null 2>&1
print lost
echo "@@ end"
