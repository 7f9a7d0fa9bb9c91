cat tracing_thresh
echo 100 > tracing_thresh; echo rc=$?
cat tracing_thresh
echo 0 > tracing_thresh; echo rc=$?
cat tracing_thresh
echo abc > tracing_thresh; echo rc=$?
echo > tracing_thresh; echo rc=$?
cat tracing_thresh
