for clock in local global uptime perf mono boot counter; do echo $clock > trace_clock; echo rc=$?; grep -o '\[[a-z_]*\]' trace_clock; done
echo 'local global' > trace_clock; echo rc=$?
echo Mono > trace_clock; echo rc=$?
echo mon > trace_clock; echo rc=$?
grep -o '\[[a-z_]*\]' trace_clock
