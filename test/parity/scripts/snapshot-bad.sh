echo 0 > snapshot
echo x > snapshot; echo rc=$?
echo -1 > snapshot; echo rc=$?
echo > snapshot; echo rc=$?
echo '1 1' > snapshot; echo rc=$?
echo 0x1 > snapshot; echo rc=$?
echo 5 > snapshot; echo rc=$?
cat snapshot
cat per_cpu/cpu0/snapshot
echo 0 > per_cpu/cpu0/snapshot; echo rc=$?
echo 1 > per_cpu/cpu0/snapshot; echo rc=$?
echo 2 > per_cpu/cpu0/snapshot; echo rc=$?
echo x > per_cpu/cpu0/snapshot; echo rc=$?
echo x > per_cpu/cpu0/snapshot_raw; echo rc=$?
