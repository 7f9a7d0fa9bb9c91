# The command of a function that is called: enable_event enables, disable_event disables, a count goes down.
mkdir instances/hit
rmdir instances/hit
echo vfs_rmdir:enable_event:module:module_put:1 >> set_ftrace_filter; echo $?
grep vfs_rmdir: set_ftrace_filter
cat events/module/module_put/enable
echo '!vfs_rmdir:enable_event:module:module_put' >> set_ftrace_filter
