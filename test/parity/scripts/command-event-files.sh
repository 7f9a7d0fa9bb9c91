# Commands of set_ftrace_filter keep their event called.
for e in module/module_put signal/signal_deliver; do cat events/$e/enable; done
echo vfs_rmdir:enable_event:module:module_put >> set_ftrace_filter; echo $?
echo vfs_rmdir:disable_event:signal:signal_deliver:3 >> set_ftrace_filter; echo $?
for e in module/module_put signal/signal_deliver module signal; do cat events/$e/enable; done
cat set_event
echo 1 > events/signal/signal_deliver/enable
cat events/signal/signal_deliver/enable set_event
echo 0 > events/signal/signal_deliver/enable
cat events/signal/signal_deliver/enable set_event
echo 1 > events/module/module_put/enable
echo '!vfs_rmdir:enable_event:module:module_put' >> set_ftrace_filter; echo $?
echo '!vfs_rmdir:disable_event:signal:signal_deliver' >> set_ftrace_filter; echo $?
for e in module/module_put signal/signal_deliver; do cat events/$e/enable; done
cat set_event
