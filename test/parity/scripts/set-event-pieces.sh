# A word ends with its write.
{ printf module:mod; printf ule_load; } > set_event; echo $?
cat set_event
{ printf 'module:module_load '; printf signal; } > set_event; echo $?
cat set_event
printf 'task:task_rename\000module:module_put\n' > set_event; echo $?
cat set_event
printf '\tmodule:module_get\n\n  signal:\n' > set_event; echo $?
cat set_event
