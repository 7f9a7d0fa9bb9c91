printf 'p:a vfs_read\np:b vfs_write\n' >> kprobe_events; echo rc=$?
printf '   p:c   vfs_open   a=$arg1   \n# nothing\n\np:d vfs_readv # a comment\n' >> kprobe_events; echo rc=$?
printf 'p:e vfs_readv' >> kprobe_events; echo rc=$?
cat kprobe_events
