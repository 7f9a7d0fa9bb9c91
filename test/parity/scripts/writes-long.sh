# A number ends after 66 characters, a tracer's name after 100; a text of 64 names neither a clock nor an option.
printf '000000000000000000000000000000000000000000000000000000000000000000x' > tracing_thresh
echo $?
printf '00000000000000000000000000000000000000000000000000000000000000000x' > tracing_thresh
printf '10000000000000000000000000000000000000000000000000000000000000000000000' > tracing_thresh
printf 'nop                                                                                                 x' > current_tracer
echo $?
printf 'nop                                                                                                x' > current_tracer
printf 'global                                                         ' > trace_clock
echo $?
printf 'global                                                          ' > trace_clock
printf 'nosym-addr                                                     ' > trace_options
echo $?
printf 'nosym-addr                                                      ' > trace_options
