# needs tracing_max_latency
for v in 9007199254740993 18446744073709551615 18446744073709551616 9223372036854775807 999; do echo $v > tracing_max_latency; cat tracing_max_latency; done
echo 0 > tracing_max_latency
