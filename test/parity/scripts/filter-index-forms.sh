echo '1x' > set_ftrace_filter; echo rc=$?
echo '0x1' > set_ftrace_filter; echo rc=$?
echo '01' > set_ftrace_filter; echo rc=$?
echo '!1' >> set_ftrace_filter; echo rc=$?
echo '1:mod:aaa' >> set_ftrace_filter; echo rc=$?
echo '1*' > set_ftrace_filter; echo rc=$?
echo '0x' > set_ftrace_filter; echo rc=$?
echo '08' > set_ftrace_filter; echo rc=$?
cat set_ftrace_filter
