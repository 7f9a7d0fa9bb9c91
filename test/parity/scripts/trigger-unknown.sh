# Words that are no trigger.
for t in nosuch traceof 'traceoff x' TRACEOFF 'trace off' :1 'if refcnt == 1' '!nosuch' '!!traceoff' '!' enable_event enable_event: enable_event:module enable_event:module: enable_event:no:such enable_event:module:nosuch 'enable_event:module:*' enable_event:ftrace:print disable_event:module:module_put:x enable_event:module:module_put:1:2; do echo "$t" > events/module/module_load/trigger; echo "$t $?"; done
cat events/module/module_load/trigger
cat error_log
echo '!enable_event:module:module_put' > events/module/module_load/trigger
