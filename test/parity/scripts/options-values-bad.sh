for value in 2 -1 x on; do echo $value > options/annotate; echo rc=$?; done
echo > options/annotate; echo rc=$?
echo ' 1' > options/annotate; echo rc=$?
cat options/annotate
