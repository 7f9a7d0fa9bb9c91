# A name means events and systems of that name; with a colon either side may be left out.
for w in module module: 'module:*' ':module_load' '*:module_load' module_load module:module_load; do echo "$w" > set_event; echo "$w $?"; cat set_event; done
for w in 'mod*' 'module:module_*' 'module:module_loa' MODULE 'module:module_load:' 'module::module_load' '?odule:' 'module:module_load,signal:signal_deliver'; do echo "$w" > set_event; echo "$w $?"; cat set_event; done
