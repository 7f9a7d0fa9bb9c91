for v in 0 1 2 3 ,3 3, ffff 0,3 1,00000002 1-2 0x1 00000000001 100 4 00000000,00000003 1,2 , g 3g; do printf $v > tracing_cpumask; echo $? $v; cat tracing_cpumask; done
printf ' 2' > tracing_cpumask
cat tracing_cpumask
printf '2 ' > tracing_cpumask
cat tracing_cpumask
printf '1 2' > tracing_cpumask
echo > tracing_cpumask
cat tracing_cpumask
echo 3 > tracing_cpumask
