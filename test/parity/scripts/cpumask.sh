cat tracing_cpumask
stat -c '%A %n' tracing_cpumask
echo 1 > tracing_cpumask; echo rc=$?
cat tracing_cpumask
echo 2 > tracing_cpumask; echo rc=$?
cat tracing_cpumask
echo 00000001 > tracing_cpumask; echo rc=$?
cat tracing_cpumask
echo ff > tracing_cpumask; echo rc=$?
echo 4 > tracing_cpumask; echo rc=$?
echo ffffffff > tracing_cpumask; echo rc=$?
echo 1,00000001 > tracing_cpumask; echo rc=$?
echo 0,00000003 > tracing_cpumask; echo rc=$?
cat tracing_cpumask
echo 0x1 > tracing_cpumask; echo rc=$?
echo g > tracing_cpumask; echo rc=$?
echo '1 2' > tracing_cpumask; echo rc=$?
echo 1- > tracing_cpumask; echo rc=$?
echo 000000001 > tracing_cpumask; echo rc=$?
echo 1, > tracing_cpumask; echo rc=$?
echo ,1 > tracing_cpumask; echo rc=$?
echo 1,1 > tracing_cpumask; echo rc=$?
echo ' 2' > tracing_cpumask; echo rc=$?
cat tracing_cpumask
echo > tracing_cpumask; echo rc=$?
cat tracing_cpumask
echo A > tracing_cpumask; echo rc=$?
printf 3 > tracing_cpumask; echo rc=$?
cat tracing_cpumask
mkdir instances/foo
echo 1 > tracing_cpumask
cat instances/foo/tracing_cpumask
echo 2 > instances/foo/tracing_cpumask; echo rc=$?
cat instances/foo/tracing_cpumask tracing_cpumask
rmdir instances/foo
echo 3 > tracing_cpumask
