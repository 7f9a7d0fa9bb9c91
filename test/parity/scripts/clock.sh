grep -o '\[[a-z_]*\]' trace_clock
echo mono > trace_clock; echo rc=$?
grep -o '\[[a-z_]*\]' trace_clock
echo nosuch > trace_clock; echo rc=$?
echo > trace_clock; echo rc=$?
printf ' local ' > trace_clock; echo rc=$?
grep -o '\[[a-z_]*\]' trace_clock
