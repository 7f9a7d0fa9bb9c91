# What a removal is, when there is nothing to be removed.
for w in - -: -:a/ -:/a -a -1:a -p:a; do for f in kprobe_events uprobe_events dynamic_events synthetic_events; do echo $w >> $f; echo "$? $f $w"; done; done
for f in synthetic_events dynamic_events; do echo '!' >> $f; echo $?; echo '! a' >> $f; echo $?; echo '!a b' >> $f; echo $?; done
