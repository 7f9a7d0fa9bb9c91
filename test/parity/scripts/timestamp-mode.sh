cat timestamp_mode
echo absolute > timestamp_mode; echo rc=$?
echo delta > timestamp_mode; echo rc=$?
cat timestamp_mode
