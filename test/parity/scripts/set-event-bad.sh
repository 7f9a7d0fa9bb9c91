echo nosuch > set_event; echo rc=$?
echo no:such > set_event; echo rc=$?
echo no: > set_event; echo rc=$?
echo '!nosuch' > set_event; echo rc=$?
echo '!no:such' >> set_event; echo rc=$?
echo 'nosuch*:*' > set_event; echo rc=$?
echo ftrace:print > set_event; echo rc=$?
echo ftrace:function > set_event; echo rc=$?
echo 'ftrace:*' > set_event; echo rc=$?
echo ftrace: > set_event; echo rc=$?
cat set_event
