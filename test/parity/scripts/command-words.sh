# among other words, and cut anywhere
echo vfs_rmdir vfs_rename:traceoff:2 vfs_readv > set_ftrace_filter; echo $?
{ printf vfs_rm; printf dir:trace; printf on; printf :9; } >> set_ftrace_filter; echo $?
echo '!vfs_rename:traceoff:1 nosuchfn' >> set_ftrace_filter; echo $?
{ printf vfs_rmdir:nosuch; } >> set_ftrace_filter; echo $?
cat set_ftrace_filter
