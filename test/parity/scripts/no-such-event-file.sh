cat events/ftrace/enable; echo rc=$?
cat events/ftrace/filter; echo rc=$?
cat events/ftrace/function/enable; echo rc=$?
cat events/ftrace/function/filter; echo rc=$?
cat events/ftrace/function/trigger; echo rc=$?
cat events/ftrace/raw_data/id; echo rc=$?
cat events/nosuch/format; echo rc=$?
cat events/header_nosuch; echo rc=$?
