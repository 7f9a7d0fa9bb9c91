/** Scripts, and the typed programs that they become (show-program.ts). */
export const PROGRAMS: readonly {
  readonly what: string;
  readonly script: string;
  readonly args?: readonly string[];
  readonly program: string;
}[] = [
  {
    what: 'counts by the name of a function that a glob matches',
    script: `kprobe:handle* /pid/ { @[func, probe] = count(); }`,
    program: `map @[string, string]: count
kprobe:handle*
 if pid()
 @[functionName(), ("kprobe:" . functionName())] <<< 1
`,
  },
  {
    what: 'reads the arguments of a mark of Node’s, by the path of Node or any other word',
    script: `U:/usr/bin/node:node:net__* { @[str(arg1), arg0, probe] = count(); }`,
    program: `map @[string, long, string]: count
usdt:/usr/bin/node:node:net__stream__end
 fetch 0: {"kind":"variable","name":"remote"}
 fetch 1: {"kind":"variable","name":"skaddr"}
 @[string(fetch0), long(fetch1), "usdt:/usr/bin/node:node:net__stream__end"] <<< 1
`,
  },
  {
    what: 'keeps what a variable of the program holds as it is',
    script: `k:handle { @start[arg0] = nsecs; @who[tid] = arg0; } kr:handle /@who[tid]/ { printf("%s %d", str(@who[tid]), @who[tid]); }`,
    program: `map @start[value]: long
map @who[long]: value
kprobe:handle
 fetch 0: {"kind":"argument","index":0}
 (@start[fetch0] = nsecs())
 (@who[tid()] = fetch0)
kretprobe:handle
 if !!@who[tid()]
 print "{s} {d}", string(@who[tid()]), long(@who[tid()])
`,
  },
  {
    what: 'fetches properties, and at the end of a call what it was given',
    script: `fexit:handle { @[args.req->url, args->req.items[2]] = hist(retval); if (args.req.method == "GET") { exit(); } }`,
    program: `map @[value, value]: histogram {"kind":"log2"}
kretfunc:handle
 fetch 0: {"kind":"member","of":{"kind":"variable","name":"req"},"name":"url"}
 fetch 1: {"kind":"member","of":{"kind":"member","of":{"kind":"variable","name":"req"},"name":"items"},"name":"2"}
 fetch 2: {"kind":"retval"}
 fetch 3: {"kind":"member","of":{"kind":"variable","name":"req"},"name":"method"}
 saved 0: fetch0
 saved 1: fetch1
 saved 2: fetch3
 @[saved0, saved1] <<< long(fetch2)
 if (string(saved2) ==s "GET")
  exit()
  next
`,
  },
  {
    what: 'has a handler for each event, with the types of its fields',
    script: `t:sched:sched_* { @[probe] = count(); } t:sched:sched_switch /args->prev_comm != 0/ { @p[args->prev_comm] = args->prev_pid; }`,
    program: `map @[string]: count
map @p[string]: long
tracepoint:sched:sched_switch
 @["tracepoint:sched:sched_switch"] <<< 1
tracepoint:sched:sched_wakeup
 @["tracepoint:sched:sched_wakeup"] <<< 1
tracepoint:sched:sched_switch
 fetch 0: {"kind":"variable","name":"prev_comm"}
 fetch 1: {"kind":"variable","name":"prev_pid"}
 if (string(fetch0) !=s "")
 (@p[string(fetch0)] = long(fetch1))
`,
  },
  {
    what: 'cuts variables to their size, and divides without a sign',
    script: `BEGIN { $a = 10; $a /= 3; $a -= -1; $b = (uint8)$a; $b++; print(($a, "x", (nsecs, comm))); $c = $b > 1 ? "y" : "no"; print($c); }`,
    program: `BEGIN
 local 0: long
 local 1: long
 local 2: (long, string, (long, string))
 local 3: string
 (local0 = 10)
 (local0 = (local0 /u 3))
 (local0 -= -1)
 (local1 = longu1(longu1(local0)))
 ((local1 = longu1((local1 + 1))) - 1)
 (local2 = (local0, "x", (nsecs(), comm())))
 print "({d}, {s}, ({u}, {s}))\\n", local2.0, local2.1, local2.2.0, local2.2.1
 (local3 = ((local1 >u 1) ? "y" : "no"))
 print "{s}\\n", local3
`,
  },
  {
    what: 'changes maps in place',
    script: `BEGIN { @a = 1; @a += 2; @a /= 2; @b[1, "k"]++; --@a; @m = @a++; delete(@b[1, "k"]); delete(@a); clear(@b); zero(@a); print(@b, 5, 2); }`,
    program: `map @a: long
map @b[long, string]: long
map @m: long
BEGIN
 (@a = 1)
 (@a += 2)
 (@a = (@a /u 2))
 (@b[1, "k"] += 1, before)
 (@a -= 1)
 (@m = (@a += 1, before))
 delete @b[1, "k"]
 delete @a
 delete @b
 zero @a
 print @b, top 5, div 2
`,
  },
  {
    what: 'makes loops of while and unroll',
    script: `BEGIN { $i = 0; while ($i < 10) { if ($i % 2) { $i++; continue; } break; } unroll(3) { printf("%d%%|%5.2s|%-8llx\\n", $i, "abc", -1); } return; }`,
    program: `BEGIN
 local 0: long
 local 1: long
 (local0 = 0)
 while (local0 < 10)
  if (local0 %u 2)
   (local0 += 1, before)
   continue
  break
 (local1 = 0)
 while (local1 < 3); (local1 += 1)
  print "{d}%|{s  5 2}|{x - 8}\\n", long4(local0), "abc", -1
 next
`,
  },
  {
    what: 'prints texts that are made of numbers',
    script: `BEGIN { time("%H\\n"); time(); printf("%s %d %s", strftime("%Y", nsecs), strncmp("a", "b", 1), ksym(5)); print(kstack(3)); 1 ? print(1) : exit(); printf("%rx", buf("abc", 2)); }`,
    program: `BEGIN
 print "{s}", strftime("%H\\n", wallNsecs())
 print "{s}", strftime("%H:%M:%S\\n", wallNsecs())
 print "{s} {d} {s}", strftime("%Y", wallOf(nsecs())), long4(strncmp("a", "b", 1)), symbolOf(5)
 print "{s}\\n", string(frames(3))
 if 1
  print "{d}\\n", 1
 else
  exit()
  next
 print "{s}", bytesText("abc", 2, 1)
`,
  },
  {
    what: 'finds the types of maps that depend on each other',
    script: `BEGIN { @x = @y; @y = @z; @z = "text"; $v = @x; printf("%s", $v); }`,
    program: `map @y: string
map @x: string
map @z: string
BEGIN
 local 0: string
 (@x = @y)
 (@y = @z)
 (@z = "text")
 (local0 = @x)
 print "{s}", local0
`,
  },
  {
    what: 'makes integers and texts of values where they are used so',
    script: `k:handle { @x = arg0; @x++; ++@x; @x += 2; $v = arg1; $v = 5; $w = arg0 + $v; if (arg0 == arg1 && !arg2) { @l = lhist(arg0, 0, 100, 10); } @s = stats(arg0.length); $d = arg0; @m = $d.a.b[$v]; }`,
    program: `map @x: value
map @l: histogram {"kind":"linear","from":0,"to":100,"step":10}
map @s: stats
map @m: value
kprobe:handle
 fetch 0: {"kind":"argument","index":0}
 fetch 1: {"kind":"argument","index":1}
 fetch 2: {"kind":"argument","index":2}
 fetch 3: {"kind":"member","of":{"kind":"argument","index":0},"name":"length"}
 local 0: value
 local 1: long
 local 2: value
 (@x = fetch0)
 ((@x = (long(@x) + 1)) - 1)
 (@x = (long(@x) + 1))
 (@x = (long(@x) + 2))
 (local0 = fetch1)
 (local0 = 5)
 (local1 = (long(fetch0) + long(local0)))
 if ((string(fetch0) ==s string(fetch1)) && !fetch2)
  @l <<< long(fetch0)
 @s <<< long(fetch3)
 (local2 = fetch0)
 (@m = local2["a"]["b"][string(local0)])
`,
  },
  {
    what: 'samples stacks, and prints now and then',
    script: `profile:hz:99 { @[kstack] = count(); } i:ms:100 { print(@); clear(@); } END { }`,
    program: `map @[stack]: count
profile:hz:99
 @[frames(127)] <<< 1
interval:ms:100
 print @
 delete @
END
`,
  },
  {
    what: 'has the strengths of C between operators',
    script: `BEGIN { $x = 1 ? 2 : 3; $y = -$x; $z = ~nsecs; @q = !$x || 5 && 0; @r = 1 << 3 | 2 ^ 7 & 3; @t = -8 >> 1; }`,
    program: `map @q: long
map @r: long
map @t: long
BEGIN
 local 0: long
 local 1: long
 local 2: long
 (local0 = (1 ? 2 : 3))
 (local1 = -local0)
 (local2 = ~nsecs())
 (@q = (!local0 || (5 && 0)))
 (@r = ((1 << 3) | (2 ^ (7 & 3))))
 (@t = (-8 >>> 1))
`,
  },
  {
    what: 'takes positional parameters, macros, enums and conditions of the preprocessor',
    script: `#!/usr/bin/env bpftrace
#ifndef BPFTRACE_HAVE_BTF
#include <linux/sched.h>
#else
#define TWICE 2 *
#endif
enum kind { SMALL, BIG = 7 };
interval:ms:$1 { print($1 + TWICE BIG); print(str($2)); print($#); }`,
    args: ['5', 'five'],
    program: `interval:ms:5
 print "{d}\\n", (5 + (2 * 7))
 print "{s}\\n", "five"
 print "{u}\\n", 2
`,
  },
];
