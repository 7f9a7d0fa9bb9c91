for line in 'a=@' 'a=@@' 'a=@nope' 'a=@-1' 'a=@schedule+' 'a=@schedule+zz' 'a=+u8($stack):symstr' 'a=\5:u8[2]' 'a=\5:symstr'; do echo "p:z schedule $line" >> kprobe_events; echo rc=$?; done
cat error_log
for line in 'a=\5:string[2]' 'a=+0($arg1)+1' 'a=+0(+0($arg1)x)' 'a=+u8($stack):symbol' 'a=+u8($arg1):ustring'; do echo "p:z schedule $line" >> kprobe_events; echo rc=$?; cat kprobe_events; echo > kprobe_events; done
