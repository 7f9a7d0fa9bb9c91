# needs tracing_max_latency
for v in 99999999999999999999 0x10 010 5abc 5 +7 1.5 0b1 -1; do echo $v > tracing_max_latency; echo tracing_max_latency $v rc=$?; cat tracing_max_latency; done
echo ' 5 ' > tracing_max_latency; echo tracing_max_latency ' 5 ' rc=$?; cat tracing_max_latency
echo '5 6' > tracing_max_latency; echo tracing_max_latency '5 6' rc=$?; cat tracing_max_latency
echo 0 > tracing_max_latency
