echo foo > synthetic_events; echo rc=$?
grep -v Command error_log | grep -o 'synthetic_events: .*'
grep -A 1 Command error_log
echo > error_log
cat error_log
