echo 50 > buffer_percent
for n in 101 -1 abc 1.5 50%; do echo $n > buffer_percent; echo rc=$?; done
echo > buffer_percent; echo rc=$?
echo '5 5' > buffer_percent; echo rc=$?
cat buffer_percent
