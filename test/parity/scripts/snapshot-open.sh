# A snapshot that is open for reading can be taken anew, but not be given memory.
echo 1408 > buffer_size_kb
echo 1 > snapshot
exec 5< snapshot
echo 1 > snapshot
echo $?
exec 5<&-
echo 0 > snapshot
exec 5< snapshot
echo 1 > snapshot
echo $?
echo 0 > snapshot
echo $?
echo 2 > snapshot
echo $?
exec 5<&-
exec 5< per_cpu/cpu0/snapshot
echo 1 > snapshot
exec 5<&-
# Readers stay with the buffer that they opened.
echo 1 > snapshot
exec 5< trace
echo 200 > buffer_size_kb
echo 1 > snapshot
echo 200 > buffer_size_kb
exec 5<&-
exec 5< trace
echo 1 > snapshot
echo 0 > snapshot
echo 200 > buffer_size_kb
echo $?
exec 5<&-
echo 1408 > buffer_size_kb
cat buffer_size_kb
