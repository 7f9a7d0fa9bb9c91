cat options/overwrite
echo 0 > options/overwrite; echo rc=$?
cat options/overwrite
echo 1 > options/overwrite; echo rc=$?
