# ! takes events away; it may be written where nothing is enabled.
echo 'module:*' > set_event
echo '!module:module_load' >> set_event; echo $?
cat set_event
echo '!module:module_load' >> set_event; echo $?
echo '!module_put' >> set_event; echo $?
cat set_event
echo '!:module_get' >> set_event; echo $?
echo '!*:module_free' >> set_event; echo $?
cat set_event
echo '!module:' >> set_event; echo $?
cat set_event
echo '!module' 'signal:signal_deliver' '!signal' >> set_event; echo $?
cat set_event
echo '! module:module_load' >> set_event; echo $?
echo 'module:!module_load' >> set_event; echo $?
cat set_event
