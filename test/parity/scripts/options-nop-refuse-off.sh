echo notest_nop_refuse > trace_options
echo 0 > options/test_nop_refuse
echo $?
echo notest_nop_accept > trace_options
echo $?
