# Removal by patterns, in dynamic_events and the files of each kind.
echo 'p:one/a vfs_open' > dynamic_events; echo $?
echo 'p:one/b vfs_read' >> dynamic_events; echo $?
echo 'p:two/a vfs_write' >> dynamic_events; echo $?
echo 'r:two/r vfs_write' >> dynamic_events; echo $?
echo 's:syn int x' >> dynamic_events; echo $?
echo 's:synthetic/sy2 int x; char y[8]' >> dynamic_events; echo $?
echo 'e:three/e module.module_put r=$refcnt' >> dynamic_events; echo $?
echo 'e:four module/module_get' >> dynamic_events; echo $?
cat dynamic_events kprobe_events synthetic_events
for l in '-:one/nosuch' '-:nosuch/' '-:/' '-:/a' '-:' '-' '-:one/a vfs_read' '-:one/a vfs_open x=1' '-:one/a vfs_open' '-:one/' '-:two/a extra' '-:synthetic/syn' '-:sy2' '-:three/' '-:four' '-:eprobes/four module/module_get' '!p:two/a vfs_write' '!r:two/r vfs_write' '-:two/r'; do echo "$l" >> dynamic_events; echo "$l $?"; cat dynamic_events; done
echo 'p:one/a vfs_open' >> kprobe_events
echo 's:syn int x' >> dynamic_events
for l in '-:syn' '-:synthetic/syn' '-:one/' '-:one/a'; do echo "$l" >> kprobe_events; echo "$l $?"; done
for l in '!syn' '-:syn' '!syn int y' '!syn int x' '!nosuch'; do echo "$l" >> synthetic_events; echo "$l $?"; done
cat dynamic_events
cat error_log
