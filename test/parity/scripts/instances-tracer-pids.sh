# An instance's own tracer, pids, filters and options.
mkdir instances/foo
for v in 12 '12 13' 13x -1 0 '' '4194304 1' '  7  '; do echo "$v" > instances/foo/set_ftrace_pid; echo "$v $?"; cat instances/foo/set_ftrace_pid set_ftrace_pid; done
for v in 12 '12 13' x 99999999999; do echo "$v" >> instances/foo/set_ftrace_notrace_pid; echo "$v $?"; cat instances/foo/set_ftrace_notrace_pid set_ftrace_notrace_pid; done
for v in 5 '5 6' y; do echo "$v" > instances/foo/set_event_pid; echo "$v $?"; echo "$v" >> instances/foo/set_event_notrace_pid; echo "$v $?"; cat instances/foo/set_event_pid instances/foo/set_event_notrace_pid set_event_pid; done
for o in event-fork function-fork record-tgid record-cmd overwrite pause-on-trace raw sym-addr display-graph funcgraph-cpu func_stack_trace sleep-time nosuch nonosuch print-parent noprint-parent; do echo $o > instances/foo/trace_options; echo "$o $?"; done
cat instances/foo/trace_options
grep -e fork -e raw -e sym-addr -e pause trace_options
for o in event-fork function-fork raw sym-addr; do echo 1 > instances/foo/options/$o; echo "$o $?"; cat instances/foo/options/$o options/$o; echo 2 > instances/foo/options/$o; echo "$o $?"; echo no$o > instances/foo/trace_options; echo "$o $?"; cat instances/foo/options/$o; done
for t in function function_graph blk '' nop; do echo "$t" > instances/foo/current_tracer; echo "$t $?"; cat instances/foo/current_tracer; done
echo 'vfs_rename:traceon:3' > instances/foo/set_ftrace_filter; echo $?
echo 'vfs_rename:snapshot' >> instances/foo/set_ftrace_filter; echo $?
echo 'vfs_rename:stacktrace:1' >> instances/foo/set_ftrace_filter; echo $?
echo 'vfs_rename:dump' >> instances/foo/set_ftrace_filter; echo $?
cat instances/foo/set_ftrace_filter set_ftrace_filter
echo '!vfs_rename:traceon:0' >> instances/foo/set_ftrace_filter; echo $?
echo '!vfs_rename:traceoff' >> instances/foo/set_ftrace_filter; echo $?
cat instances/foo/set_ftrace_filter
echo '!*:snapshot' >> instances/foo/set_ftrace_filter; echo $?
echo '!vfs_*:stacktrace' >> instances/foo/set_ftrace_filter; echo $?
cat instances/foo/set_ftrace_filter
cat instances/foo/error_log
rmdir instances/foo; echo $?
