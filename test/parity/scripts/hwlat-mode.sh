# needs hwlat_detector/mode
for mode in none per-cpu round-robin; do echo $mode > hwlat_detector/mode; echo rc=$?; cat hwlat_detector/mode; done
echo '  per-cpu  ' > hwlat_detector/mode; echo rc=$?
printf none > hwlat_detector/mode; echo rc=$?
cat hwlat_detector/mode
for bad in foo Per-cpu per_cpu nones 1; do echo $bad > hwlat_detector/mode; echo rc=$?; done
echo > hwlat_detector/mode; echo rc=$?
cat hwlat_detector/mode
echo round-robin > hwlat_detector/mode
