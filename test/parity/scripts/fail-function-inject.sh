# in /sys/kernel/debug
# needs /sys/kernel/debug/fail_function
cat fail_function/inject
echo nosuch_function > fail_function/inject; echo rc=$?
echo '!nosuch_function' > fail_function/inject; echo rc=$?
echo __x64_sys_arch_prctl > fail_function/inject; echo rc=$?
cat fail_function/inject
echo __x64_sys_arch_prctl > fail_function/inject; echo rc=$?
echo '__x64_sys_arch_prctl x' > fail_function/inject; echo rc=$?
echo '!__do_sys_ni_syscall' > fail_function/inject; echo rc=$?
echo __do_sys_ni_syscall >> fail_function/inject; echo rc=$?
cat fail_function/inject
echo '!__x64_sys_arch_prctl' > fail_function/inject; echo rc=$?
cat fail_function/inject
echo '  __x64_sys_arch_prctl  ' > fail_function/inject; echo rc=$?
cat fail_function/inject
echo > fail_function/inject; echo rc=$?
cat fail_function/inject
echo '!' > fail_function/inject; echo rc=$?
cat fail_function/__x64_sys_arch_prctl/retval
