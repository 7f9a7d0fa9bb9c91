# trace_options and options/ of an instance beside those of the top level.
mkdir instances/foo
for o in print-parent sym-offset sym-addr verbose raw hex bin block trace_printk annotate userstacktrace sym-userobj printk-msg-only context-info latency-format record-cmd record-tgid overwrite disable_on_free irq-info markers event-fork pause-on-trace function-fork display-graph stacktrace test_nop_accept test_nop_refuse funcgraph-overrun function-trace func_stack_trace; do echo "no$o" > instances/foo/trace_options; echo "no$o $?"; done
cat instances/foo/trace_options
cat trace_options
for o in ' print-parent' 'print-parent ' 'print-parent raw' no NO nono 'nonoraw' 'noraw noraw' '' RAW; do echo "$o" > instances/foo/trace_options; echo "$o $?"; done
grep -e print-parent -e raw instances/foo/trace_options
rmdir instances/foo
