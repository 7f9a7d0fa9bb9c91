echo 128 > saved_cmdlines_size
for n in 0 -1 abc 32769 4194304; do echo $n > saved_cmdlines_size; echo rc=$?; done
echo > saved_cmdlines_size; echo rc=$?
cat saved_cmdlines_size
