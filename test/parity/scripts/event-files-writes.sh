# Writes to what is only read.
for f in format hist id; do echo x > events/module/module_load/$f; echo "$f $?"; done
for f in header_page header_event; do echo x > events/$f; echo "$f $?"; done
for f in format hist; do echo x >> events/ftrace/print/$f; echo "$f $?"; done
mkdir events/foo; echo $?
mkdir events/module/foo; echo $?
mkdir events/module/module_load/foo; echo $?
rmdir events/module; echo $?
cat events/module; echo $?
cat events/module/nosuch; echo $?
cat events/module/module_load/nosuch; echo $?
cat events/nosuch/enable; echo $?
