# Words that turn all events off, and words that name none.
for w in '!:' '!*:' '!:*' '!*:*'; do echo $w > set_event; echo $?; done
for w in '!' '!*' '::' '!nosuch' '!ftrace:' 'ftrace:print' '!ftrace:print' '!:mod:'; do echo $w > set_event; echo $?; done
cat set_event
