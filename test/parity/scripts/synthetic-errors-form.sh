# The form of a command.
for t in 's:aa int x' 'u:aa int x' '-:aa' '-aa' '!' '!aa int x' '! aa' '!nosuch' 'aa int x # comment' '# aa int x'; do echo "$t" >> synthetic_events; echo "$t $?"; cat synthetic_events; done
cat error_log
echo > synthetic_events
