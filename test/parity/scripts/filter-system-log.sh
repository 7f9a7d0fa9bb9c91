# What error_log has of a system's filter.
echo 'group == 1' > events/signal/filter; echo $?
cat error_log
echo > error_log
echo 'nosuch == 1' > events/signal/filter; echo $?
cat error_log
echo > error_log
echo 'sig == x' > events/signal/filter; echo $?
cat error_log
echo 0 > events/signal/filter
