# needs hwlat_detector/width
for v in 99999999999999999999 0x10 010 5abc 5 +7 1.5 0b1 -1; do echo $v > hwlat_detector/width; echo hwlat_detector/width $v rc=$?; cat hwlat_detector/width; done
echo ' 5 ' > hwlat_detector/width; echo hwlat_detector/width ' 5 ' rc=$?; cat hwlat_detector/width
echo '5 6' > hwlat_detector/width; echo hwlat_detector/width '5 6' rc=$?; cat hwlat_detector/width
echo 500000 > hwlat_detector/width
for v in 99999999999999999999 0x10 010 5abc 5 +7 1.5 0b1 -1; do echo $v > hwlat_detector/window; echo hwlat_detector/window $v rc=$?; cat hwlat_detector/window; done
echo ' 5 ' > hwlat_detector/window; echo hwlat_detector/window ' 5 ' rc=$?; cat hwlat_detector/window
echo '5 6' > hwlat_detector/window; echo hwlat_detector/window '5 6' rc=$?; cat hwlat_detector/window
echo 1000000 > hwlat_detector/window
