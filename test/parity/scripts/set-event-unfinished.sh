printf 'nosuch' > set_event
printf ' nosuch' > set_event
printf ' ' > set_event
echo $?
printf '!nosuch' >> set_event
