# needs stack_max_size
for v in 9007199254740993 18446744073709551615 18446744073709551616 9223372036854775808 4294967296; do echo $v > stack_max_size; cat stack_max_size; done
echo 0 > stack_max_size
