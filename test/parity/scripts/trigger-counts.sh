# Counts: any unsigned number; 0 is one too.
for c in 0 1 0x10 010 4294967296 18446744073709551615 18446744073709551616 -1 x '' '1 2' 1x 1:2; do echo "traceoff:$c" > events/module/module_load/trigger; echo "$c $?"; grep traceoff events/module/module_load/trigger; echo '!traceoff' > events/module/module_load/trigger; done
