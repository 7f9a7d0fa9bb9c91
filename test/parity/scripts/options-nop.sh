grep test_nop trace_options
echo test_nop_accept > trace_options; echo rc=$?
cat options/test_nop_accept
echo test_nop_refuse > trace_options; echo rc=$?
cat options/test_nop_refuse
echo 1 > options/test_nop_refuse; echo rc=$?
echo 1 > options/test_nop_accept; echo rc=$?
echo 0 > options/test_nop_accept; echo rc=$?
cat options/test_nop_accept
