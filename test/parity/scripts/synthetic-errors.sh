# Errors in definitions, with the caret in error_log.
for t in 'aa' 'aa int' 'aa int x; int x' 'aa int x y' 'aa nosuch x' 'a-b int x' 'aa int 1x' 'aa int x;' 'aa ;int x' 'aa int x;;int y' 'aa int x,int y' 'aa char x[' 'aa char x[0]' 'aa unsigned x' 'aa int x-y' 'aa; int x' '1a int x'; do echo "$t" >> synthetic_events; echo "$t $?"; cat synthetic_events; echo '!aa' >> synthetic_events; done
cat error_log
echo > synthetic_events
