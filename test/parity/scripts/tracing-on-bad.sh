echo abc > tracing_on; echo rc=$?
echo > tracing_on; echo rc=$?
echo -1 > tracing_on; echo rc=$?
echo '1 0' > tracing_on; echo rc=$?
echo ' 1' > tracing_on; echo rc=$?
echo 1x > tracing_on; echo rc=$?
echo 99999999999999999999999999 > tracing_on; echo rc=$?
cat tracing_on
