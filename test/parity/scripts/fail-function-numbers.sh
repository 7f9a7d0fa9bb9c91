# in /sys/kernel/debug
# needs /sys/kernel/debug/fail_function
echo 0 > fail_function/probability; echo 1 > fail_function/interval; echo 1 > fail_function/times; echo 0 > fail_function/space; echo 2 > fail_function/verbose
cat fail_function/probability
cat fail_function/interval
cat fail_function/times
cat fail_function/space
cat fail_function/verbose
echo 5 > fail_function/probability; echo rc=$?; cat fail_function/probability
echo 5 > fail_function/interval; echo rc=$?; cat fail_function/interval
echo 5 > fail_function/times; echo rc=$?; cat fail_function/times
echo 5 > fail_function/space; echo rc=$?; cat fail_function/space
echo 5 > fail_function/verbose; echo rc=$?; cat fail_function/verbose
echo 100 > fail_function/probability; echo rc=$?; cat fail_function/probability
echo 100 > fail_function/interval; echo rc=$?; cat fail_function/interval
echo 100 > fail_function/times; echo rc=$?; cat fail_function/times
echo 100 > fail_function/space; echo rc=$?; cat fail_function/space
echo 100 > fail_function/verbose; echo rc=$?; cat fail_function/verbose
echo 200 > fail_function/probability; echo rc=$?; cat fail_function/probability
echo 200 > fail_function/interval; echo rc=$?; cat fail_function/interval
echo 200 > fail_function/times; echo rc=$?; cat fail_function/times
echo 200 > fail_function/space; echo rc=$?; cat fail_function/space
echo 200 > fail_function/verbose; echo rc=$?; cat fail_function/verbose
echo -1 > fail_function/probability; echo rc=$?; cat fail_function/probability
echo -1 > fail_function/interval; echo rc=$?; cat fail_function/interval
echo -1 > fail_function/times; echo rc=$?; cat fail_function/times
echo -1 > fail_function/space; echo rc=$?; cat fail_function/space
echo -1 > fail_function/verbose; echo rc=$?; cat fail_function/verbose
echo x > fail_function/probability; echo rc=$?; cat fail_function/probability
echo x > fail_function/interval; echo rc=$?; cat fail_function/interval
echo x > fail_function/times; echo rc=$?; cat fail_function/times
echo x > fail_function/space; echo rc=$?; cat fail_function/space
echo x > fail_function/verbose; echo rc=$?; cat fail_function/verbose
echo '' > fail_function/probability; echo rc=$?; cat fail_function/probability
echo '' > fail_function/interval; echo rc=$?; cat fail_function/interval
echo '' > fail_function/times; echo rc=$?; cat fail_function/times
echo '' > fail_function/space; echo rc=$?; cat fail_function/space
echo '' > fail_function/verbose; echo rc=$?; cat fail_function/verbose
echo 0x10 > fail_function/probability; echo rc=$?; cat fail_function/probability
echo 0x10 > fail_function/interval; echo rc=$?; cat fail_function/interval
echo 0x10 > fail_function/times; echo rc=$?; cat fail_function/times
echo 0x10 > fail_function/space; echo rc=$?; cat fail_function/space
echo 0x10 > fail_function/verbose; echo rc=$?; cat fail_function/verbose
echo 010 > fail_function/probability; echo rc=$?; cat fail_function/probability
echo 010 > fail_function/interval; echo rc=$?; cat fail_function/interval
echo 010 > fail_function/times; echo rc=$?; cat fail_function/times
echo 010 > fail_function/space; echo rc=$?; cat fail_function/space
echo 010 > fail_function/verbose; echo rc=$?; cat fail_function/verbose
echo +7 > fail_function/probability; echo rc=$?; cat fail_function/probability
echo +7 > fail_function/interval; echo rc=$?; cat fail_function/interval
echo +7 > fail_function/times; echo rc=$?; cat fail_function/times
echo +7 > fail_function/space; echo rc=$?; cat fail_function/space
echo +7 > fail_function/verbose; echo rc=$?; cat fail_function/verbose
echo '7 8' > fail_function/probability; echo rc=$?; cat fail_function/probability
echo '7 8' > fail_function/interval; echo rc=$?; cat fail_function/interval
echo '7 8' > fail_function/times; echo rc=$?; cat fail_function/times
echo '7 8' > fail_function/space; echo rc=$?; cat fail_function/space
echo '7 8' > fail_function/verbose; echo rc=$?; cat fail_function/verbose
echo 08 > fail_function/probability; echo rc=$?; cat fail_function/probability
echo 08 > fail_function/interval; echo rc=$?; cat fail_function/interval
echo 08 > fail_function/times; echo rc=$?; cat fail_function/times
echo 08 > fail_function/space; echo rc=$?; cat fail_function/space
echo 08 > fail_function/verbose; echo rc=$?; cat fail_function/verbose
echo -0x3 > fail_function/probability; echo rc=$?; cat fail_function/probability
echo -0x3 > fail_function/interval; echo rc=$?; cat fail_function/interval
echo -0x3 > fail_function/times; echo rc=$?; cat fail_function/times
echo -0x3 > fail_function/space; echo rc=$?; cat fail_function/space
echo -0x3 > fail_function/verbose; echo rc=$?; cat fail_function/verbose
echo 1.5 > fail_function/probability; echo rc=$?; cat fail_function/probability
echo 1.5 > fail_function/interval; echo rc=$?; cat fail_function/interval
echo 1.5 > fail_function/times; echo rc=$?; cat fail_function/times
echo 1.5 > fail_function/space; echo rc=$?; cat fail_function/space
echo 1.5 > fail_function/verbose; echo rc=$?; cat fail_function/verbose
echo 0 > fail_function/probability; echo 1 > fail_function/interval; echo 1 > fail_function/times; echo 0 > fail_function/space; echo 2 > fail_function/verbose
echo 99999999999999999999 > fail_function/probability; echo rc=$?; cat fail_function/probability
echo 18446744073709551616 > fail_function/probability; echo rc=$?; cat fail_function/probability
echo 18446744073709551615 > fail_function/probability; echo rc=$?; cat fail_function/probability
echo 9223372036854775808 > fail_function/probability; echo rc=$?; cat fail_function/probability
echo 9223372036854775807 > fail_function/probability; echo rc=$?; cat fail_function/probability
echo 4294967296 > fail_function/probability; echo rc=$?; cat fail_function/probability
echo 2147483648 > fail_function/probability; echo rc=$?; cat fail_function/probability
echo +5 > fail_function/probability; echo rc=$?; cat fail_function/probability
echo 08 > fail_function/probability; echo rc=$?; cat fail_function/probability
echo 0x > fail_function/probability; echo rc=$?; cat fail_function/probability
echo 0000000000000000000000000000005 > fail_function/probability; echo rc=$?; cat fail_function/probability
echo 12345678901234567890123 > fail_function/probability; echo rc=$?; cat fail_function/probability
echo 99999999999999999999 > fail_function/times; echo rc=$?; cat fail_function/times
echo 18446744073709551616 > fail_function/times; echo rc=$?; cat fail_function/times
echo 18446744073709551615 > fail_function/times; echo rc=$?; cat fail_function/times
echo 9223372036854775808 > fail_function/times; echo rc=$?; cat fail_function/times
echo 9223372036854775807 > fail_function/times; echo rc=$?; cat fail_function/times
echo 4294967296 > fail_function/times; echo rc=$?; cat fail_function/times
echo 2147483648 > fail_function/times; echo rc=$?; cat fail_function/times
echo +5 > fail_function/times; echo rc=$?; cat fail_function/times
echo 08 > fail_function/times; echo rc=$?; cat fail_function/times
echo 0x > fail_function/times; echo rc=$?; cat fail_function/times
echo 0000000000000000000000000000005 > fail_function/times; echo rc=$?; cat fail_function/times
echo 12345678901234567890123 > fail_function/times; echo rc=$?; cat fail_function/times
