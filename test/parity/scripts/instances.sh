mkdir instances/foo; echo rc=$?
mkdir instances/foo; echo rc=$?
mkdir instances/foo/bar; echo rc=$?
mkdir bar; echo rc=$?
mkdir events/bar; echo rc=$?
rmdir instances/foo/options; echo rc=$?
rmdir instances/bar; echo rc=$?
rmdir instances; echo rc=$?
rmdir instances/foo; echo rc=$?
rmdir instances/foo; echo rc=$?
mkdir instances/a.b; echo rc=$?
stat -c '%A %n' instances instances/a.b
rmdir instances/a.b; echo rc=$?
