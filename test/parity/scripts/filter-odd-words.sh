echo 'vfs_open:' > set_ftrace_filter
echo $?
cat set_ftrace_filter
echo ':vfs_open' > set_ftrace_filter
echo $?
cat set_ftrace_filter
echo '::' > set_ftrace_filter
echo $?
cat set_ftrace_filter
echo ':' > set_ftrace_filter
echo $?
cat set_ftrace_filter
echo '!' > set_ftrace_filter
echo $?
cat set_ftrace_filter
echo '!!vfs_open' > set_ftrace_filter
echo $?
cat set_ftrace_filter
echo 'vfs_rmdi[!q]' > set_ftrace_filter
echo $?
cat set_ftrace_filter
echo 'vfs_rmdi[^q]' > set_ftrace_filter
echo $?
cat set_ftrace_filter
echo 'vfs_rmdi[' > set_ftrace_filter
echo $?
cat set_ftrace_filter
echo 'vfs_rmdi[q-s]' > set_ftrace_filter
echo $?
cat set_ftrace_filter
echo '?fs_readlink' > set_ftrace_filter
echo $?
cat set_ftrace_filter
echo 'vfs\_open' > set_ftrace_filter
echo $?
cat set_ftrace_filter
echo 'vfs_op\en' > set_ftrace_filter
echo $?
cat set_ftrace_filter
echo 'vfs_rm*r' > set_ftrace_filter
echo $?
cat set_ftrace_filter
echo '*fs_readlink' > set_ftrace_filter
echo $?
cat set_ftrace_filter
echo '*fs_rmdi*' > set_ftrace_filter
echo $?
cat set_ftrace_filter
echo '*fs_rm?i*' > set_ftrace_filter
echo $?
cat set_ftrace_filter
echo 'VFS_OPEN' > set_ftrace_filter
echo $?
cat set_ftrace_filter
echo 'vfs_open#x' > set_ftrace_filter
echo $?
cat set_ftrace_filter
echo '#vfs_open' > set_ftrace_filter
echo $?
cat set_ftrace_filter
echo 'vfs_open,vfs_read' > set_ftrace_filter
echo $?
cat set_ftrace_filter
echo '0' > set_ftrace_filter
echo $?
cat set_ftrace_filter
echo '-1' > set_ftrace_filter
echo $?
cat set_ftrace_filter
echo '999999999' > set_ftrace_filter
echo $?
cat set_ftrace_filter
echo '!1' > set_ftrace_filter
echo $?
cat set_ftrace_filter
echo '! vfs_open' > set_ftrace_filter
echo '"vfs_open"' > set_ftrace_filter
echo > set_ftrace_filter
