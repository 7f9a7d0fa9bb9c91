mkdir instances/foo
echo vfs_rename > instances/foo/set_ftrace_filter
echo vfs_rename > set_ftrace_filter
echo function > instances/foo/current_tracer
grep -c vfs_rename enabled_functions
grep -o 'vfs_rename (1)' enabled_functions
echo function > current_tracer
grep -o 'vfs_rename (2)' enabled_functions
echo vfs_rmdir >> instances/foo/set_ftrace_filter
grep -o '^vfs_[a-z]* ([0-9])' enabled_functions
rmdir instances/foo
grep -o '^vfs_[a-z]* ([0-9])' enabled_functions
echo nop > current_tracer
cat enabled_functions
