# dump fires once and cpudump always, whatever stands behind them
echo vfs_rmdir:dump:3 >> set_ftrace_filter; echo $?
echo vfs_rename:dump:abc >> set_ftrace_filter; echo $?
echo vfs_rmdir:dump >> set_ftrace_filter; echo $?
echo vfs_rmdir:cpudump:5 >> set_ftrace_filter; echo $?
cat set_ftrace_filter | sort
echo '!*:dump' >> set_ftrace_filter; echo $?
echo '!vfs_*:cpudump:7' >> set_ftrace_filter; echo $?
cat set_ftrace_filter
