# Statistics, saved tasks, cpumask and the profile's switch, in wrong and right ways.
grep -e overrun -e dropped per_cpu/cpu0/stats
for w in x 0 ''; do echo "$w" > per_cpu/cpu0/stats; echo "$w $?"; done
cat per_cpu/cpu9/stats; echo $?
for m in 0 1 2 3 4 f ff 1,0 0,1 '' x -1 0x1 100000000 1,00000001 00000000,00000003 '1 2' ,1 1,; do echo "$m" > tracing_cpumask; echo "$m $?"; cat tracing_cpumask; done
echo 3 > tracing_cpumask
mkdir instances/foo
echo 1 > instances/foo/tracing_cpumask; echo $?
cat instances/foo/tracing_cpumask tracing_cpumask
echo 1 > instances/foo/function_profile_enabled; echo $?
cat instances/foo/saved_tgids; echo $?
cat instances/foo/saved_cmdlines_size; echo $?
rmdir instances/foo
for v in 0 0 x 2 -1 '' 0x0 00 '0 ' ' 0'; do echo "$v" > function_profile_enabled; echo "$v $?"; cat function_profile_enabled; done
for v in 0 1 -1 x '' 65536 4194305; do echo "$v" > saved_cmdlines_size; echo "$v $?"; cat saved_cmdlines_size; done
echo 128 > saved_cmdlines_size
echo x > saved_tgids; echo $?
echo x > saved_cmdlines; echo $?
echo x > trace_stat/function0; echo $?
echo x > available_tracers; echo $?
echo x > enabled_functions; echo $?
