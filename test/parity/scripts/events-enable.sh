echo 0 > events/enable; echo rc=$?
cat events/enable
for n in 2 -1 abc on; do echo $n > events/enable; echo rc=$?; done
echo > events/enable; echo rc=$?
printf 0 > events/enable; echo rc=$?
cat events/enable
