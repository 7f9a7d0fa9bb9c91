cat tracing_on
echo 1 > tracing_on; echo rc=$?
cat tracing_on
echo 2 > tracing_on; echo rc=$?
cat tracing_on
echo 0 > tracing_on; echo rc=$?
cat tracing_on
echo 00 > tracing_on; echo rc=$?
echo 0x1 > tracing_on; echo rc=$?
cat tracing_on
