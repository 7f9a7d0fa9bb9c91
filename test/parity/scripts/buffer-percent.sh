echo 50 > buffer_percent; echo rc=$?
cat buffer_percent
for n in 0 1 99 100; do echo $n > buffer_percent; echo rc=$?; cat buffer_percent; done
printf 5 > buffer_percent; echo rc=$?
cat buffer_percent
echo 50 > buffer_percent
