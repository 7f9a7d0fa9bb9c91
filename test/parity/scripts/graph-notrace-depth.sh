# set_graph_notrace with set_graph_function and max_graph_depth.
for w in vfs_open 'vfs_ren*' nosuch '!vfs_open' '!vfs_*' '!nosuch' '' 'vfs_open vfs_open' 'vfs_open:mod:x' '*:mod:nosuch' '##' '# vfs_open' '-vfs_open' '!'; do echo "$w" >> set_graph_notrace; echo "$w $?"; cat set_graph_notrace; done
echo vfs_open > set_graph_function; echo $?
echo vfs_open > set_graph_notrace; echo $?
cat set_graph_function set_graph_notrace
echo > set_graph_notrace; cat set_graph_notrace
echo '!vfs_open' > set_graph_function; echo $?
cat set_graph_function
for d in 0 1 10 -1 4294967295 4294967296 x '' 0x5 010 ' 3' '3 ' '3x'; do echo "$d" > max_graph_depth; echo "$d $?"; cat max_graph_depth; done
echo 0 > max_graph_depth
