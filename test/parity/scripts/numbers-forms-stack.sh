# needs stack_max_size
for v in 99999999999999999999 0x10 010 5abc 5 +7 1.5 0b1 -1; do echo $v > stack_max_size; echo stack_max_size $v rc=$?; cat stack_max_size; done
echo ' 5 ' > stack_max_size; echo stack_max_size ' 5 ' rc=$?; cat stack_max_size
echo '5 6' > stack_max_size; echo stack_max_size '5 6' rc=$?; cat stack_max_size
echo 0 > stack_max_size
