cat nosuch; echo rc=$?
cat per_cpu/cpu99/trace; echo rc=$?
echo x > nosuch; echo rc=$?
echo x > options/nosuch; echo rc=$?
cat options/nosuch; echo rc=$?
mkdir nosuch; echo rc=$?
rmdir options; echo rc=$?
mkdir options/x; echo rc=$?
