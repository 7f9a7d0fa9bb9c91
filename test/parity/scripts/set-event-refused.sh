# The words before a refused one hold; those behind it are lost.
echo module:module_load nosuch signal:signal_deliver > set_event; echo $?
cat set_event
echo '!nosuch' module:module_put >> set_event; echo $?
cat set_event
echo task:nosuch >> set_event; echo $?
echo nosuch:task_rename >> set_event; echo $?
echo '!task:nosuch' >> set_event; echo $?
echo ftrace:print module:module_get >> set_event; echo $?
cat set_event
cat error_log
