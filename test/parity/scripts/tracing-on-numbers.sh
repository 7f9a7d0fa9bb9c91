for value in 0 1 2 100 18446744073709551615 18446744073709551616; do echo $value > tracing_on; echo rc=$?; cat tracing_on; done
