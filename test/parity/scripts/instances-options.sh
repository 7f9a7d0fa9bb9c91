echo 0 > options/print-parent
echo 0 > options/overwrite
echo 1 > options/record-tgid
mkdir instances/foo
cat instances/foo/trace_options
echo 1 > options/print-parent
cat instances/foo/options/print-parent instances/foo/options/overwrite
echo verbose > instances/foo/trace_options; echo rc=$?
cat instances/foo/options/verbose options/verbose
echo 1 > instances/foo/options/record-cmd; echo rc=$?
echo 1 > instances/foo/options/printk-msg-only; echo rc=$?
echo 1 > instances/foo/options/trace_printk; echo rc=$?
echo 1 > instances/foo/options/funcgraph-proc; echo rc=$?
echo funcgraph-proc > instances/foo/trace_options; echo rc=$?
cat instances/foo/options/func_stack_trace instances/foo/options/test_nop_accept; echo rc=$?
echo nosuch > instances/foo/trace_options; echo rc=$?
rmdir instances/foo
