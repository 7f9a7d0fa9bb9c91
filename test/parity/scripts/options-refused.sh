echo 1 > options/test_nop_refuse; echo rc=$?
echo test_nop_refuse > trace_options; echo rc=$?
echo 0 > options/test_nop_refuse; echo rc=$?
cat options/test_nop_refuse
echo test_nop_accept > trace_options; echo rc=$?
cat options/test_nop_accept
