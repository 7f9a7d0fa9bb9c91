cat options/irq-info options/verbose options/overwrite
echo 0 > options/irq-info; echo rc=$?
cat options/irq-info
echo 1 > options/irq-info; echo rc=$?
cat options/irq-info
echo 2 > options/irq-info; echo rc=$?
echo x > options/irq-info; echo rc=$?
echo > options/irq-info; echo rc=$?
echo '1 ' > options/verbose; echo rc=$?
cat options/verbose
