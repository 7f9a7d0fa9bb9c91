# What `filter` and error_log show after a write: `--- EVENT FILTER`, the errno if there is one, both files.
echo 'p:kprobes/pe __x64_sys_kill a=\-1:s32 b=\1:u64 c=\1:u8 g=\-1:s8 d=\"x":string q=+0($stack):u8[4] o=+0($stack):u16[3]' > kprobe_events
ask() {
  case $1 in pe) file=events/kprobes/pe/filter ;; *) file=events/task/task_rename/filter ;; esac
  echo "--- $1 $2"
  echo > error_log
  err=$({ printf '%s\n' "$2" > $file; } 2>&1)
  echo "${err##*: }"
  cat $file
  sed 's/^\[[^]]*\] //' error_log
}
while IFS= read -r line; do
  case $line in '#'*) ;; @*) ask task_rename "${line#@}" ;; *) ask pe "$line" ;; esac
done <<'FILTERS'
a == 1
  a==1  
a == 
a

 
0
 0 
none
1
()
(( ) )
(a == 1
a == 1)
((a == 1)
(a == 1))
)a == 1(
(a == 1 || (b == 1)
(a == 1 || d == "(" || (b == 1)
a == 1 &&
a == 1 ||
a == 1 || (b == 1 && )
a == 1 && ()
a == 1 & b == 1
a == 1 b == 1
a == 1 (b == 1)
(a == 1) b == 1
a == 1 !b == 1
a == 1 &&& b == 1
a == 1 | b == 1
&& a == 1
&&
||
!
!!
!()
(!)
!a == 1
! ! a == 1
!(a == 1)
!(!(a == 1) || b == 2)
a != 1
!= 1
!~
a ~ 1
a ~ "x"
a == "x"
a < "x"
d == 1
d ~ 1
d < "x"
d & "x"
d == "x
d == 'x"
d == x
d == "x" || (a == 1
d == "x" "y"
d == "x"y
d == "a && b) || !(c"
d ~ "*x*"
d != "x"
d == "a'b"
d == 'a"b'
a == 0x
a == 0X1F
a == 08
a == 010
a == -1
a == -0x10
a == -010
b == -1
b == -0x1
c == -1
g == -1
a == 0x123456789abcdef0
a == 99999999999999999999
a == 123456789012345678901234567890
a == 12345678901234567890123
a == 123456789012345678901234
a == 1x
a == 1_0
a == 1.5
a = 1
a === 1
a <> 1
a =< 1
a >== 1
a>=1&&b<=2||c<3&&g>4
a&1&&b&2
a & -1
zz == 1
a == 1 && zz == 1
a == 1 && (b == 2 || zz.ustring == 1)
COMM == "x"
comm ~ "x*"
CPU == 1
cpu & 1
common_cpu >= 0
CPU == "x"
CPU ~ 1
COMM == 1
common_pid == 1
common_pid == -1
common_type == -1
common_flags & 1
common_preempt_count == 0
common_padding == 0
__probe_ip == 0xffffffff81000000
d.ustring == "x"
d.ustring ~ "x*"
a.ustring == 1
a .ustring == 1
a.function == 1
a.x == 1
d.ustringx == "x"
CPU & CPUS{1}
cpu & CPUS{0-1}
a == + 1
a == +1
a == -
a == --1
a == - 1
a == 1 || "x"
"a" == 1
d == ""
d ~ ""
d ~ "!x"
d ~ "1"
a == 18446744073709551615
a == 9223372036854775808
a == -9223372036854775808
a == -9223372036854775809
b == 18446744073709551615
b == 18446744073709551616
g == 300
c == 300
q == 1
q == -1
q == "x"
o == 1
a == 1;
a == 1 # x
a-b == 1
a[0] == 1
@newcomm == "x"
@newcomm == 1
@newcomm < "x"
@newcomm.ustring == "x"
@oldcomm ~ "*x*" && newcomm != 'y' || oom_score_adj > -1
@oom_score_adj == "x"
@comm == "x"
@pid == 1 && tgid == 1
FILTERS
for length in 255 256 300; do
  x=$(head -c $length /dev/zero | tr '\0' x)
  ask pe "a == 1 || d == \"$x\" || b == 1"
done
