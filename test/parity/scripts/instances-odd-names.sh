mkdir instances/.hidden
echo $?
mkdir instances/.hidden
mkdir instances/-
echo $?
mkdir instances/.hidden/per_cpu/cpu9
mkdir instances/none/x
mkdir options/x
exec 5< instances/-/options/overwrite
rmdir instances/-
exec 5<&-
rmdir instances/-
echo $?
rmdir instances/.hidden/per_cpu
rmdir instances/.hidden
echo $?
rmdir instances/.hidden
