echo 1 > tracing_on
echo 1 > buffer_size_kb
for a in 0 1 2 3 4 5 6 7 8 9; do for b in 0 1 2 3 4 5 6 7 8 9; do echo "a message of some length that fills the buffer, number $a$b, and then some more of it so that it does" > trace_marker; done; done
grep -c 'tracing_mark_write' trace
