# > removes nothing but histograms; a NUL ends the text; white space around it is nothing.
echo traceoff > events/module/module_load/trigger
echo traceon > events/module/module_load/trigger
cat events/module/module_load/trigger
printf '' > events/module/module_load/trigger
{ echo stacktrace; echo '!traceon'; } > events/module/module_load/trigger; echo $?
cat events/module/module_load/trigger
printf 'snapshot\000:x' > events/module/module_load/trigger; echo $?
cat events/module/module_load/trigger
printf '\t!snapshot \n' > events/module/module_load/trigger; echo $?
printf '!snapshot' > events/module/module_load/trigger; echo $?
printf '!traceoff\n!stacktrace\n' > events/module/module_load/trigger; echo $?
cat events/module/module_load/trigger
for t in '!stacktrace' '!traceoff'; do echo "$t" > events/module/module_load/trigger; done
