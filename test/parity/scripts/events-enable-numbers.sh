# What is a number, and which of them are 0 and 1.
for n in 0 1 00 01 0x1 +1 -1 2 10 abc 1x x1 1,0 99999999999999999999 0x 08; do echo $n > events/module/module_load/enable; echo "$n $?"; cat events/module/module_load/enable; done
for n in 1 2 -1 0x0 +0 on; do echo $n > events/module/enable; echo "$n $?"; cat events/module/enable; done
for f in events/enable events/module/enable events/module/module_load/enable; do echo > $f; echo $?; echo ' 1' > $f; echo $?; echo '1 ' > $f; echo $?; done
cat events/module/enable
