# Each write is a number of its own; a NUL ends it.
printf '1' > events/module/module_load/enable; cat events/module/module_load/enable
printf '0\n\n' > events/module/module_load/enable; echo $?
cat events/module/module_load/enable
printf '1\0000' > events/module/module_load/enable; echo $?
cat events/module/module_load/enable
printf '\000' > events/module/module_load/enable; echo $?
printf '0\0001\n' > events/module/module_load/enable; echo $?
cat events/module/module_load/enable
{ echo 1; echo 0; echo 1; } > events/module/module_load/enable; echo $?
cat events/module/module_load/enable
{ echo 0; echo 7; echo 1; } > events/module/module_load/enable; echo $?
cat events/module/module_load/enable
printf '0000000000000000000000000000000000000000000000000000000000000001' > events/module/enable; echo $?
printf '000000000000000000000000000000000000000000000000000000000000000000001' > events/module/enable; echo $?
cat events/module/enable
