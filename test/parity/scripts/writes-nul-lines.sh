# Lines with NUL in the files of definitions.
for f in kprobe_events uprobe_events dynamic_events; do printf '\000' > $f; printf 'a\000b' > $f; printf '\n' > $f; printf '# x\000' > $f; done
printf '#\n\000' >> kprobe_events
echo $?
