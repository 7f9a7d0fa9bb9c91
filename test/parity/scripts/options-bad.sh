echo nosuch > trace_options; echo rc=$?
echo nonosuch > trace_options; echo rc=$?
echo > trace_options; echo rc=$?
echo 'sym-addr sym-offset' > trace_options; echo rc=$?
echo func_stack_trace > trace_options; echo rc=$?
cat options/sym-addr
