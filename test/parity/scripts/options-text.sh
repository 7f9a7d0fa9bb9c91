grep -v -e func-args -e funcgraph -e sleep-time -e graph-time trace_options
echo nooverwrite > trace_options; echo rc=$?
grep overwrite trace_options
cat options/overwrite
echo overwrite > trace_options; echo rc=$?
grep overwrite trace_options
echo ' noprint-parent ' > trace_options; echo rc=$?
cat options/print-parent
printf print-parent > trace_options; echo rc=$?
cat options/print-parent
