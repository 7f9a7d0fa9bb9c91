# Which texts pass which filters: `[TEXT] FILTER -> COUNT`, of `newcomm`, an array of 16 characters, and of `d`, a dynamic one.
rename=events/task/task_rename
echo 1 > $rename/enable
comm() {
  echo "newcomm == \"$1\" && ($2)" > $rename/filter
  printf xxxxxxxxxxxxxxx > /proc/$$/comm
  echo > trace
  printf '%s' "$1" > /proc/$$/comm
  echo "[$1] $2 -> $(grep -cF "newcomm=$1 " trace)"
}
echo 'p:kprobes/pe __x64_sys_kill d=\"hello":string e=\"":string' > kprobe_events
echo 1 > events/kprobes/pe/enable
dynamic() {
  echo "$1" > events/kprobes/pe/filter
  echo > trace
  kill -0 $$
  echo "$1 -> $(grep -c 'pe: (' trace)"
}
while IFS= read -r filter; do
  for name in bash abcdefghijklmno 9p '9*'; do comm "$name" "$filter"; done
done <<'FILTERS'
newcomm ~ "ba*"
newcomm ~ "*as*"
newcomm ~ "b*h"
newcomm ~ "*a*h"
newcomm ~ "b?sh"
newcomm ~ "ba[rs]h"
newcomm ~ "ba[!rs]h"
newcomm ~ "*"
newcomm ~ "**"
newcomm == "bash"
newcomm != "bash"
newcomm ~ "!bash"
newcomm ~ "!b*"
newcomm ~ "bash"
newcomm ~ "abcdefghijklmno*"
newcomm ~ "abcdefghijklmnop*"
newcomm ~ "*klmno*"
newcomm ~ "*klmnop*"
newcomm ~ "a*o"
newcomm ~ "a*op"
newcomm == "abcdefghijklmno"
newcomm == "abcdefghijklmnop"
newcomm != "abcdefghijklmnop"
newcomm == ""
newcomm ~ ""
newcomm ~ "!"
newcomm ~ "9*"
newcomm ~ "!9*"
newcomm ~ "*9*"
newcomm ~ "[0-9]*"
newcomm ~ "b\ash"
newcomm ~ "["
COMM == "xxxxxxxxxxxxxxx"
COMM ~ "xx*"
COMM == "xxxxxxxxxxxxxxxx"
COMM != "bash"
FILTERS
while IFS= read -r filter; do dynamic "$filter"; done <<'FILTERS'
d == "hello"
d != "hello"
d ~ "*lo"
d ~ "*lo*"
d ~ "he*"
d ~ "h*o"
d == "hell"
d == "hello2"
d ~ "hello2*"
d ~ "*"
e == ""
e ~ ""
e ~ "*"
e ~ "**"
e ~ "!x"
e ~ "?*"
d ~ "?ello"
d ~ "[a-h]*o"
d ~ "[!a-h]*o"
d == "hello" && e == "x" || d ~ "h*"
!(d == "hello")
!d == "hello"
!!d == "hello"
!(d == "hello" && !(e == "" && d ~ "x*"))
d.ustring == "hello"
CPU >= 0
CPU & 3
CPU < 8589934592
common_pid > 0
common_pid & 4294967295
FILTERS
