# needs hwlat_detector/mode
stat -c '%A %n' hwlat_detector hwlat_detector/mode hwlat_detector/width hwlat_detector/window
cat hwlat_detector/mode
cat hwlat_detector/width
cat hwlat_detector/window
echo 3000000 > hwlat_detector/width; echo rc=$?
echo 100000 > hwlat_detector/window; echo rc=$?
echo 2000000 > hwlat_detector/window; echo rc=$?
echo 1000001 > hwlat_detector/width; echo rc=$?
cat hwlat_detector/width hwlat_detector/window
echo 2000000 > hwlat_detector/width; echo rc=$?
echo 1999999 > hwlat_detector/window; echo rc=$?
for bad in abc -1 0x10 1.5 99999999999999999999999; do echo $bad > hwlat_detector/width; echo rc=$?; done
echo > hwlat_detector/width; echo rc=$?
echo 0 > hwlat_detector/width; echo rc=$?
cat hwlat_detector/width
echo 500000 > hwlat_detector/width
echo 1000000 > hwlat_detector/window
