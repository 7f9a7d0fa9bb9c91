echo '  annotate' > trace_options; echo rc=$?
printf 'noannotate' > trace_options; echo rc=$?
echo nonoannotate > trace_options; echo rc=$?
echo no > trace_options; echo rc=$?
echo ' ' > trace_options; echo rc=$?
grep annotate trace_options
