# What is taken back twice.
echo 'vfs_rmdir:traceoff' > set_ftrace_filter
for w in '!!vfs_rmdir:traceoff' '!!!vfs_rmdir:traceoff' '!!:traceoff' '!!*:traceoff:3' '!!vfs_rmdir:snapshot' '!vfs_rmdir:snapshot'; do echo $w >> set_ftrace_filter; echo $?; done
cat set_ftrace_filter
echo '!vfs_rmdir:traceoff' >> set_ftrace_filter
echo $?
echo '!!vfs_rmdir:traceoff' >> set_ftrace_filter
cat set_ftrace_filter
