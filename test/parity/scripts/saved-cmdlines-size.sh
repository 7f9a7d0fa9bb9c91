cat saved_cmdlines_size
for n in 1 128 6552 6553 20000 32768 4096; do echo $n > saved_cmdlines_size; echo rc=$?; cat saved_cmdlines_size; done
