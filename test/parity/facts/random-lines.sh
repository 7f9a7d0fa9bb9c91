# What filter and trigger of an event, and synthetic_events, answer to random lines, one letter for the file and what is written: `--- LINE`,
# the errno if there is one, what the file shows, what error_log shows.
# needs events/sched/sched_pi_setprio/hist
event=events/sched/sched_pi_setprio
log() { sed 's/^\[[^]]*\] //' error_log; }
while IFS= read -r line; do
  echo "--- $line"
  : > error_log
  text=${line:1}
  case $line in F*) file=$event/filter ;; S*) file=synthetic_events ;; *) file=$event/trigger ;; esac
  err=$({ printf '%s\n' "$text" >> $file; } 2>&1)
  echo "${err##*: }"
  cat $file
  log
  case $line in
  F*) echo 0 > $file ;;
  S*) : > $file ;;
  *)
    : > $file
    while IFS= read -r left; do [ -z "$left" ] || printf '!%s\n' "$left" >> $file; done <<< "$(grep -v '^#' $file)"
    ;;
  esac
done <<'LINES'
Sfo1int a __data_loc 
Sfoo char x[]; unsigned int y;
S
F
S9fo
Hhis=next_
Fprev_pd > 5)
Hhicommon_timestampst onmax( :keysxecname
Hhiszt:keys=
F-1 no]"
Sfo u64 l pid
Tsnapshot:1 if newprio > 5
T!traceon
Hhistkeys=newprio:vals=comm
Hhist:keys=newprio:pause
Hhist:keys=next_
Tdisable_event:enable_eventtask:task_rename:3 if newprio == 1
Hhist:name=fosize=0
F!(prev_id > 5)
Hhist:
F!=0
Fn&?ext_com?m ~ "*a?
T
Fpid == 0 && !(newprio == 1 || next
Fco!mmon_pid <= 0x 0x 1f
F((((prev_pd == 1))))
F& common_flags & 1
Sfoo
F((((pid == 1)) COMM ))
Hhist:keys=ne s = ave( xt_p.save(comm)
Hhi:keys=ne.log2xt_pid:vals=oldprio.hex
Sfoo u64 a[ unsignednt a
Fcomm != 'a b'
Hhist:keys=newprio.sym
Tenable_hist:sched:sched_waking
Hhist:keys=stacktrace
Fcp == 1
Tsnapshot if comm ~ "a*" && pid < 3
Ttraceoff if stacktrace
Fcommon_flags & !=  1
Fpid.f != unction = 3
Fcommon_fla"x"gs & 1
Fnewprio & 3
S[igned char c;
Fprev CPU _state == -1
Ss:fnt a
H!hist:keys=next_
Hhist:keyscomm=newprio:vals=comm
Sbool foo
T!enable_t:}kmem:0kmalloc
S!foo int
Hhist:keys=newprio,pid:vals=hitcount,oldprio:sort=newprio.descending,hitcount:size=128
Hhist:keys=nifex
Fpid.functio= 3
Hhist:keys=nex
Hhist:keys=newprio,pid,oldprio,oldprio9
Hhis:k.eys=newprio.syscall
Hhist:k clear eys=newprio:id+newprio:vals=$a
Ttrace?on
Fpu
Fprerev_pid.function == 3
T!enent:task:task_rename
Slongfoo __data_loc  struct x y
Fnex1t_c & omm ~ 0x  "ba*"
Fprev"x"_sta6t
Fnext_c == omm 3comm ~ "*a?[b-c]"
Fo~mmon_picommd <]= 0x1f
Tn
Soo u[]64unsigned a[4]
S9foo inoo char a[300]
Fn
Sfoo 
Hhistist:keys=newprio,pid:vals=hitcount,oldprio:sort=newprio.descending,hitcount:size=128
Hhist:namefoxid.execname
Hhist:2keys=newprio:onmatch(sched.sched_waking).trace(syn,ext=global
Tdisable_hist:sched:sched_aking:1
Sfo
Sfo32 z
Fcommon_p&id <= 0x1)))
Hhist:keys=next_paid:pause
Hhist:keys=comm:vals=oldprio:sort=oldprio
Fcomm ~ "*a?[b-c]"
Fpev_cmm == comm
Tstacktrace if pid == enable_event  0
Hhist:keysonmatch(ext_pid:clo7ck=global
S9foo  u64 int a
F!prev_&pd.funct3
Sfoo int/ a __data_loc char[] x
Hhist:keys=newprio:x=pid,y=n common snapshot() _timestamp ext_pid:z=$x-$y
Sfoo truct x y
Hhist:vt_p5id
T_
T!on
Tenable_rev_pid < 3
Hhist:vals=.symn newprio ext_pid
F"
F((((pid == 1))))
Fnext_9comm ~ "*a?[b-c]"
Sfoo int a; in unsigned t a
Hhist:keysonmatch(=common_pidex.log2ename
Sfoo it a; c:har b[16]; u8 c
Hhist: comm keys=newprio:size=0
Fpre& ned == 0
Hhistnex't_pid:nohitcou
Hhist:keys=next_pirio
Fcomm ~ "ba*"
Hhist:keys=tacktrace
Hhist:keys=newprio,pid,n $a ext_prio
Hhi3st:keys=newprio:a=next_prcomm)
Sfoo  u6
Hhist:keys=next_pd:ts0=common_timestamp.uscs if comm=="x"
S! !
Hhist:keys=stpid,next$a_prio,oldprio
Hhist:keys=newprio:commvals=comm
S*
Hhist:kys=newprio:sort=foo
F!( comm v_pid >: 5)
Ttraceonenable_event if prenable_ev
FCOMM == "x" || CPU !pre_state= 1
Hhist:keys=newprio:a=pid*2/newprio-1:b=
Ttraceon:-999999999999999999991
FCOMM ==^ "x" || CPU != 1
Sfoo int int a
Sfoo;int a3
Fcomm U & CPUS{0-1}
Fpr
TstacktracBe f pid == bd
Fne comm x_comm~ "
Tstacktrace:0
Fprev_p COMM rio < 100 && n&ext_prio  ~ "*a?[b-c]"
Sfoo u64 at; pid_t p char c;
Hhis;t:keys=newprio.sym
Hhist:vals=newprio
Sfoo char x[];igned int y;
Tenble_event:x:y
T!enable_event:task:task_rename
Hhis:ke
Fprev_s)1
Hhist:keys=common_pid.execn-ame
Sfoo cha
Hhist:keys=common_pid.ex=ecname
Hhist:keysoldprio.buck$a+newprio
Hhist:ifkeys=oldprio.log2
Hhist:key$as=newprio:onmax($a).save(comm,pid)
Fcommon_piBd <= 0x1f !
Tenable_event:task:task_rename
S9oo it 
Hhist:keys=newprio:size=0
Hhist:keys=
F(pid == 1 || pid == 2") && 7newprio ~== 3
Sfoo u64 a[4]
S7foo u unsigned 64
Sfoo 64 lat; pid_t pid
Hh = ist:keys=come
Fpid==1&&nex ~ t_pid==2||oldprio==3
Hhprio.buckets=4
Fpid==1&&newprio==2|oldprio==3
Hhist:keys=newprio:ts0=common_timestamp.usecs if comm=="x"
Hhist:keys=next $a _prio.log2
Hhistkeys=newprio.usecs
Sfoo i16];
Sfoo u464 a[4] /int 
Ttraceon if pre
Hhist:keys=nexio.hex
Sfoo int __data_loca; char b[16];u8 c
Ttra0ceon if pid
F!pid == 0 == 017)
Fp= 0x1f
Hhist:keys=newprio:a=oldprio:onmax($
Ttraceoneon if pid
Hhis+t:key /save( s=newprio,
T:sche 5
Hhisobal
Ss:foon foo g x[]; s32 z
Tdisable_hist:sched:scle_event:x:y
So o char a[0]
Hist:keys=newprio:v pid als=oldprio.hex
F!pid == 0 && !(newprio =gs & 1
Hhisd,oldprio,oldprio
Sfoo cha x[]   ;int u int a
T!trstacktraceaceon
Fcommon_flags & 1
H!hist:keys=next_p
Hhist:keys=newprio.hex:vals=newprio.hex
Hhi\st:keys=omm)
Hhist:keys=newprio:a=pid*2/newprio-$1t_prio,oldprio
Hhis:keys=newprio:onmax($a).save(comm,pid)
Fcommon_pid <= 1f
S9
Hhist:keys=nexpid)
Tenable_e
Ttrace(on if prev_p traceon id
Hhistkeys=common_pid.execname
FCOM|| CPU != 1"
Hhist:keys=newprio,prev!__
Ttraceon i
Tsnapshot:1) if :  newprio > 5
Hhi^st:keys=stnewprio:pause
Hhist:keys=newprio:clock=global
Ttaceon:-1
Hhi .ascending st:keys=newprio:a=oldprio:onmax($sort=a).save(next_co8mm)
Hhist:keys=newprio:a=prev_pi_pid-1:b=$a&3
Fp
F!= prev_pi == 0
Fpreags & 1
F&
Hhist:keys=save(newprio.syscall
Tenalelloc:3 if newprio == 1
Tisable 0 _event:task:task_rename:3 if n if ext_pid == 1
Hhist:k
Hh
Ttraceon if pid
Hist:kes
Sfoo char  unsigned a[0]
Fcomm'  == "b#sh"
Hhist:keys=next_ext_pid
Fprev!_p120
Tstacktrstacktraceace:0
FCOM == | 
Hhist:keys=newprio:vals=oldprio.hex
Fprev_p\rio < 100 && nxt_prio >= 120
Hhist:keys=next
Sfoo char a
Hhist:keys=next_priist:keys=newprio:sort=foo
T!iftrac
F((((!prev_== 1))))
Hhi .log2 s:keys=
S9!foo int a
Hhist:keys= newprio next
Hhist:keys=n .sym
Sfoo int a; int a
Sfoo char x]; unsigned nt y;
Hhist:keys * =newprio,pid:vals=hitcount,oldprio:sort=newprio.descending,hitcount:size=128
Tstacktrraceoff:5
Sfoo ch
So6
Sint! foo
H!his=newprio
F(prevrio==3
Sfo !5 o u64 >a[4
Tt:1A if next:kmalloc:3 if newprio == 1
Fpid
Fcomm == 1
Fcommon_ppid == 2) && next_id == 3
Sf]
T0sta:
Hh7v
Hhist:keys=newprio:a=oldprio:onchange($a).snapshot()
Hhst:keys6=oldprio.log2
H hitcount 
F(pcommrev_pid == 1 || pid == 2) && next_pi"d == 3
Hsave(
F 1
So
H!hikeys=newprio
Sfo^o
Sfoo;
Tstactrace:0
Ttrac enant d
Sfoo long  char a0]
Sf [x16] oo;int a!
Ttraceof
Hhist::ka=10:b=$a+newprio
Tt!raceoff i
T!tra999909999999999999999ceon
Fcm
Tdis-1able_event:kmem:kmd == 1
Hhist:ks=a,b
H!h
Hhist:keys=newprio.hex:@vals=newprio.hex
H{hist:keys=common_pid.execname
Tst2acktracecomm ~ "a*" && pid < 3
Fcomm  == comm
Hhist
Sf2oo u64 la
Ttraeoff:5
Hhist:keys=next_p
Fnewprio &  ~ 3
S- foo l|ong x[]; s32 z
Hhist: onmax( keys=newprio if .usecs
Tstaceoff:5
Fpid==1&& || newprio==2||oldprio==3
Sfoo ; unsigned int y;
Sfoo lo; __data_locs32 z
Fpid == 0
Sfoo !0char x[]; unsi\gned int y;
Tenabyl_event:task:task_rename
Hhist:keysnewprio=newprio:sort.log2=foo
Ttracetraceonoff:5
Fpev_pidrev_pid ==== 0
Tsnapshot:1 if newprio enable_event  >  enable_event 5
Sfoo u64 a[ int 4]
Sfoo char a[0]
Hhist:keys=newprio:onmax($a.save(comm,pidist:keys=newprio:a=oldprio:onchange($a).snapshot .execname ()
Fncommextcomm ~ "ba*"
H!hist:keysoo:keys=newprio
Tenabl#kmeme_event:x
Hhist:keys=newprio
Sfoo[00]
Sr  foo a[1
Sfoo int a; in
Hhs=newprio:ohitcou1nt
Hhist:+keys:x"a=10:b=$a+newprio
T!r
Hhist:keyt:name=foo:keys=newprio
Hhist:keys=npidext_pid:vals=next_cokets=4
F-c]COMzM"
Hhist:name=foo:commke}ys=g2
T!tracifeon
Fp comm rev_id.function == 3
Hhist:eys=newprio:vals=oldprio.hex
Fpid==1&'&newprio==2||oldprio==3
Hhist:keysnxt_pid.ascending.syscall
Hhit:keys=next .use.ascendingcs _pid:pid
FC!= 1
T-1 if!traceon
FOMM == "x" || CU != 1
Hhist:keys=newprio:a=10:b=$a+ne if xt_pid
Sfo long x[]; s32 foo
Sfoo choo;int a
Hhist:k=newprio.usecs
Sfoo u64 a[
Sfo -bar i 9a
Sfoo-bar int
Fnewprio  "x"-1
Hhist:keys=nexn_pid.execname
Sfoo u64 la pid
Fprev_COMMpid.functi
Sfoo unsigned char ;
Fp844674473709551616
Hhist:va=newprio
Hid:a=oldprio:onmax($a).save(comm)
Hhist:keys=next_ypid:as
Hhist:keys=nextsnapshot()_pid:x=pid,y=
Hhist: -  onm%a
Hhist:keys=common_pid.e sort= xecname
Fcomm ~ "a"
Fpid.fun
Ttraceoff:5stacktrace:0
Sfoo long x[]; s32 z
Hhist:keyspid=newprio
Fc(ommo>
Sfoo u64 a4]
Sfoo struct x    y
Hhitcounthistvals=:ke
Fcommon_pid <= 0x1newpriof
Hhist:keys=next_p snapshot() id:sort=foo
Hhist:key
Hist:keys=newprio:a=pid*2/nxt_pid-1:b=$a&3
Tsnapshot
Fc
Hhist:keys=prev_s
Fn/ext_coBmm ~ "ba*"
F((((pr)
F0
H:nohonmax(itcount
Fcomm (  ~ "ba*"
Soo u64 unsigned int a; int a __data_loc 
FCP ' U & CPUS
Tt_event:kmem:malloc if
Hhistkeys=_pid
F= 1
Fnex 18446744073709551616 t_comm ~ "ba*"
Hhist:keysnewprio,pid,oldprio
Sfoo foo char a[0]
Hholdprio:sort=newprio.descending,hitcount:size=128
S9f4
Fcommpid == "ba>sh"
Tstacktrce:
Sfoo __data_loc achcharar[] x
Hhist:keys=newprio:x=pid,y=newprio:|z=$x-$y
Sfoo bool b; gfp_t g; uns[16]igned long ul
Hhist:keys=newprio,pid:vals=hitcount,next1_prio:sort=newprio.descendingax($a).save(comm)
H.usecs
Hhist:keys=a,b,c,d,e
F(pid == 1 || next_co
Hhist:kort=foo
Tdisable_event:task:task_rename:3 if newprio == 1
Sfoo u
Fnext_com "x" m == "bash"
Sfoo __data_loc char] x
F!(pid > 5)
Tdisab7le_event:kmem:kmif newprio > 5
H!id
Hhist:keys=nex : t_pid:a=prev_p prev_pi pause d id*2/newprio-1:b=$a&3
Hh:keys=newprio:a=pid*2/newprio-1:b=$a&3
Sfoo unsigned cho __data_loc char[] x
Fcommone
Sfoo long  [] x[]; s32 z
F~0
Fprev_;state & 3
Ttrable_event:x:y
F1
Ttr kmem a : ceon:-1
Tenable_event:x:y
Hhist:keys=4newprio,
T!tracestacktraceon
Sfo$o struct x y
Sfoo h;a~r a[300
Sfoo char char[] x
Hhist:keysxt_pid:pause
Fprev_e == -1
Sfoo char []  x[]; uu64 a[4]
Sfoo ch int a a[300]
FCPU & CPUS{0-1}
Hhist: prev_8pid keys=val
Fne!'xt_
Ss:fooa
Fev_ev_p=3
Ttr kmem aceon:-1
Sfoo char x]; unsigned int y;
Hhist:keys= save( newprio:cont
Sfoo bool b; gfp_t g; unsigned long ul
FCOMM
Foldprio < 10 && oldprio >= 1200x
S2fo
Sfoo int a; char b[16] [16] ; u8 c
Hhiscommon_timestampt:keys=newprio.syscall
Tkmemtrace>on if pid
Hhist:keys=newprio:a=pre%v_pid+newprio:vals=$a
Sfoo-bar int a
Sfoo char []; unsigneunsignedd itu64 y;
Hhist:keys=newprio:onmatch(sched.sched name=foo _waking).trace(syn,newprio)
F"a"
Fco  -1 <= 0x1f
Hhisvals=oldprio.hex
Sfoo-bintar int
Hhis:t:keys=newprio:vals=comm
H^hist:name=foo:keys=newprio
Fprev_pd
Tsnapshot:1 if nif next_p ! id > 5
S! f
Foldprio< 100 =&&
Hhist:keys=newprio:vals=nxt_cid.execname
F(0
S!f4ofo 
Hhst:keys=oldprio.buck&ets=4
Hhist:keyio.log2
Fnext_u == 1
Tenable_hist:sched:sched=_waking
Fext_comm ~ "*a?[b-c]
Fp!rev_pid==1&&next_pi== 1))))
S]fo;
Hhist:keys=oldprio.bucket .sym s=4
F((((prev_U & CPUS{0-1}
Hhist:khist:keypid:clear
FePUS{0-1}
Sfoo int a; char b[16   ]; u8 c
F!pid == 0 && !(newprio == 1 || newprio == 017)
Sfoo char
Sfoo char x[]__data_
Hhist:keys=newprio + ,pid,ne comm xt_prio
Hhitu
F(pid == 1 || pid == 2) &t_pid == 3
Tsnapsho
Sfoo char a[16
Hhist:name=foopid:keys= clear newprio
Hhis .sym t:keys=newprio:cont
Hhist:keys=newprio,pid,oldprio
Ts k0
Tstacktra 99999999999999999999 ce:0
Hhist:keys=newprio:a=pr save( ev_pid*2/newprio-1:b=$a&
Hhist:keys=newprio.hex:vals=pree.hex
Fnext~_comm ==
Foldprio < 100 && oldprio >= 120
Tenablex:y
Hhist:keys=newprio:onmatc=next_p0id:pause
Fromm = nxext_comm
Hhist:keys=ext_pid:pause
Hhist:keys=next_p+newprio
Fcommon_
Ss^:foo int a
Hhis .log2 t:keys=newprio:a=pid+net_pid:vals=$a
Sf_oo char a[0]
Hhist:ke : ys=newprio:a=pid+:vals=$a
Ttr:0-1
Fnex||t_c~ "ba_ COMM *"
Sfoo-ba-r int  ! a
H!hist:keys=next_pi:keys=a,b,c,d,e
F! ) (pr> 5)
F!pid > 5)
Fprev_comomm
F!pid ||== 0 && !(newprio == 1 || !newprio = 017)
Hhis save( t:keys=
Fprev_sAtate~( & 3
H!hist:pidkeys=newprioange($a).snapshot()
H!hist:keys=newprio
Hhist:ke
Hhist:keys=next_pio:onmax($a).save(comm)
Hhist:keys=nxt_pid:
Hhist:vas=hitcount,oldprio:sort=newprio.descending,hitcount:size=128
Hhist:keys=oldprio.bucket
Fpre'v_comm == comm
S!fo foo
Tstacktraenable_hist:sched:sched_waking
Hhist:keys=newprio:onmax($a).save(next_co
Sf
Hhis
Hhista
S!foo
Hhist:keys=newprio:onmatch(sched.sched_waking)ys=next_id
F0 pid
Tenablloc
Tdisable_his:sched:sched_waing:1
Sfoo;int a
S__daoo int a; int a
Hhist:keys=newprio:a=p comm rev_pi .usecs ,,d*2/newprio-1:b=$a&3
Tstackt-1ra ! ce:0
Hhist:keys=newprio:a=10:b=$ size= a snapshot()
Tt
Hsort=h pause ist:keys=newprio:onmax($a) .usecs .save(comm,pid
F(prev_p != *a?[Bb-c]"
S9foo int a
LINES
