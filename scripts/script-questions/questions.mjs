// The questions of docs/script-questions.md: a script in each language that answers it, and what its answer has to show.

/** Both scripts end by themselves. `shows`: of both; or of bpftrace's and of SystemTap's. `lines`: so many are in the page. */
export const QUESTIONS = [
  {
    title: 'Which function is called most?',
    says: '`*` is every function of the program and its packages. Maps and arrays that nothing else prints are printed at the end, by value.',
    bpftrace: 'kprobe:* { @[func] = count(); }\ninterval:s:2 { exit(); } END { print(@, 4); clear(@); }',
    stap: 'global n\nprobe kernel.function("*") { n[ppfunc()] <<< 1 }\nprobe timer.s(2) { foreach (f in n- limit 4) printf("%8d %s\\n", @count(n[f]), f); exit() }',
    shows: [/@\[(discount|priceOf)\]: \d+\n*$/, /^ *\d+ (discount|priceOf)/],
  },
  {
    title: 'Who calls this function?',
    says: 'The stack of two frames is the function and its caller.',
    bpftrace: 'kprobe:checkStock { @[ustack(2)] = count(); }\ninterval:s:2 { exit(); }',
    stap: 'global n\nprobe kernel.function("checkStock") { n[stack_text(2)]++ }\nprobe timer.s(2) { foreach (s in n-) printf("%d times\\n%s\\n", n[s], s); exit() }',
    shows: [/checkStock\+\d+\n +reserve\+[\s\S]*\]: \d+/, /\d+ times\ncheckStock\+\S+\nre(serve|count)\+/],
  },
  {
    title: 'With which arguments is it slow?',
    says: 'A call of 5 milliseconds or more is printed with its arguments. `@entry` is what the expression was when the same call began.',
    bpftrace:
      'kfunc:checkStock { @began[tid] = nsecs; }\nkretfunc:checkStock /nsecs - @began[tid] > 5000000/ { printf("%d us: %s\\n", (nsecs - @began[tid]) / 1000, str(args.sku)); }\ninterval:s:2 { clear(@began); exit(); }',
    stap: 'probe kernel.function("checkStock").return {\n  us = gettimeofday_us() - @entry(gettimeofday_us())\n  if (us > 5000) printf("%d us: %s\\n", us, $$parms)\n}\nprobe timer.s(2) { exit() }',
    shows: [/^\d{4,} us: SKU-13$/m, /^\d{4,} us: sku="SKU-13"$/m],
    lines: 4,
  },
  {
    title: 'How are the times of a function distributed?',
    says: 'Microseconds, in powers of two.',
    bpftrace:
      'kprobe:checkStock { @began[tid] = nsecs; }\nkretprobe:checkStock /@began[tid]/ { @us = hist((nsecs - @began[tid]) / 1000); }\ninterval:s:2 { clear(@began); exit(); }',
    stap: 'global us\nprobe kernel.function("checkStock").return { us <<< gettimeofday_us() - @entry(gettimeofday_us()) }\nprobe timer.s(2) { print(@hist_log(us)); exit() }',
    shows: [/^\[8K, 16K\) +\d+ \|@+/m, /^ *8192 \|@+ +\d+$/m],
  },
  {
    title: 'Which URL is slow?',
    says: 'The event at the end of a request has its `duration`, in nanoseconds.',
    bpftrace:
      'tracepoint:http:server_request_end { @us[str(args.url)] = stats(args.duration / 1000); }\ninterval:s:2 { exit(); }',
    stap: 'global us\nprobe kernel.trace("http:server_request_end") { us[user_string($url)] <<< $duration / 1000 }\nprobe timer.s(2) { foreach (url in us) printf("%-8s %4d requests, %6d us, the slowest %d\\n", url, @count(us[url]), @avg(us[url]), @max(us[url])); exit() }',
    shows: [/^@us\[\/orders\]: count \d+, average \d{4,}, total \d+$/m, /^\/orders +\d+ requests, +\d{4,} us/m],
  },
  {
    title: 'How often is each file opened, or read as a whole?',
    says: 'Node reads whole files in one call of C++, which is an operation of its own. System calls are events, too: `syscalls:sys_enter_openat`.',
    bpftrace:
      'tracepoint:fs:op_start /args.op == "open" || args.op == "read_file"/ { @[str(args.path)] = count(); }\ninterval:s:2 { exit(); }',
    stap: 'global n\nprobe kernel.trace("fs:op_start") { if (user_string($op) =~ "^(open|read_file)$") n[user_string($path)]++ }\nprobe timer.s(2) { exit() }',
    shows: [/^@\[\S*package\.json\]: \d+$/m, /^n\["\S*package\.json"\]=\d+$/m],
  },
  {
    title: 'What throws?',
    says: 'The end of a call is heard when it throws, too: `thrown()` is the text of what a `catch`, the promise of an async function or nobody has taken. Where something else notices it first, it is `(fault)`.',
    bpftrace: 'kretprobe:* /str(retval) == "(fault)"/ { @[func] = count(); }\ninterval:s:2 { exit(); }',
    stap: 'global n\nprobe kernel.function("*").return { if (thrown() != "") n[ppfunc(), thrown()]++ }\nprobe timer.s(2) { exit() }',
    shows: [/^@\[parseOrder\]: \d+$/m, /^n\["parseOrder","SyntaxError: .*JSON.*"\]=\d+$/m],
  },
  {
    title: 'How often is it called, second by second?',
    says: 'Timers run on a thread of fentry: also while the program is in an endless loop.',
    bpftrace:
      'kprobe:priceOf { @n++; }\ninterval:s:1 { time("%H:%M:%S "); printf("%d\\n", @n); @n = 0; }\ninterval:s:4 { clear(@n); exit(); }',
    stap: 'global n\nprobe kernel.function("priceOf") { n++ }\nprobe timer.s(1) { printf("%s %d\\n", substr(tz_ctime(gettimeofday_s()), 11, 8), n); n = 0 }\nprobe timer.s(4) { exit() }',
    shows: /^\d\d:\d\d:\d\d [1-9]\d*$/m,
  },
  {
    title: 'Which query is slow?',
    says: '`query` is async: its end is when its promise settles. `@entry` belongs to the call, also when many are under way. bpftrace has nothing like it: there the key is the text, and calls with the same text at the same time share a beginning.',
    bpftrace:
      'kfunc:query { @began[args.text] = nsecs; }\nkretfunc:query /@began[args.text]/ { @us[str(args.text)] = avg((nsecs - @began[args.text]) / 1000); }\ninterval:s:2 { clear(@began); exit(); }',
    stap: 'global us\nprobe kernel.function("query").return { us[user_string($text)] <<< gettimeofday_us() - @entry(gettimeofday_us()) }\nprobe timer.s(2) { foreach (q in us) printf("%6d us %s\\n", @avg(us[q]), q); exit() }',
    shows: [/^@us\[SELECT \* FROM orders .*\]: \d{5,}$/m, /^ *\d{5,} us SELECT \* FROM orders/m],
  },
  {
    title: 'How deep does a recursion get?',
    says: 'A counter goes up at each entry and down at each end.',
    bpftrace:
      'kprobe:depthOf { @depth[tid]++; @deepest = max(@depth[tid]); }\nkretprobe:depthOf { @depth[tid]--; }\ninterval:s:2 { clear(@depth); exit(); }',
    stap: 'global depth, deepest\nprobe kernel.function("depthOf") { if (++depth[tid()] > deepest) deepest = depth[tid()] }\nprobe kernel.function("depthOf").return { depth[tid()]-- }\nprobe timer.s(2) { println(deepest); exit() }',
    shows: [/^@deepest: 7$/m, /^7$/m],
  },
  {
    title: 'How long are the pauses of the garbage collector?',
    says: 'Microseconds, by the kind of collection.',
    bpftrace: 'tracepoint:gc:gc { @us[str(args.kind)] = hist(args.duration / 1000); }\ninterval:s:3 { exit(); }',
    stap: 'global us\nprobe kernel.trace("gc:gc") { us[user_string($kind)] <<< $duration / 1000 }\nprobe timer.s(3) { foreach (kind in us) { println(kind); print(@hist_log(us[kind])) } exit() }',
    shows: [/^@us\[scavenge\]:\n(\[.*\n)*\[.*\) +\d+ \|@/m, /^scavenge\nvalue \|-+ count\n(.*\n)* *\d+ \|@+ +\d+$/m],
    lines: 12,
  },
  {
    title: 'Who blocks the event loop, while it is blocked?',
    says: 'Each callback of the loop is between `softirq_entry` and `softirq_exit`. If one runs for 200 ms, samples of the stack show in what: the report comes while the loop is still blocked.',
    bpftrace:
      't:irq:softirq_entry { @began[tid] = nsecs; }\nt:irq:softirq_exit { delete(@began[tid]); }\nprofile:hz:99 /@began[tid] && nsecs - @began[tid] > 200000000/ { printf("blocked for %d ms:%s", (nsecs - @began[tid]) / 1000000, ustack(3)); @n++; }\ninterval:ms:100 { if (@n > 0) { clear(@n); clear(@began); exit(); } }',
    stap: 'global began, n\nprobe kernel.trace("irq:softirq_entry") { began[tid()] = gettimeofday_ms() }\nprobe kernel.trace("irq:softirq_exit") { delete began[tid()] }\nprobe timer.profile {\n  ms = gettimeofday_ms() - began[tid()]\n  if (tid() in began && ms > 200 && n++ == 0) printf("blocked for %d ms:\\n%s\\n", ms, stack_text(3))\n}\nprobe timer.ms(100) { if (n) exit() }',
    shows: /blocked for \d{3,} ms:\n+\s*(.*\n)?\s*busy\+\S+\n\s*report\+/,
    lines: 6,
  },
  {
    title: 'What does it return, and how often?',
    says: 'Values are keys as they are.',
    bpftrace: 'kretprobe:discount { @[retval] = count(); }\ninterval:s:2 { exit(); }',
    stap: 'global n\nprobe kernel.function("discount").return { n[$return]++ }\nprobe timer.s(2) { exit() }',
    shows: [/^@\[10\]: \d+\n@\[0\]: \d+/m, /^n\[0\]=\d+\nn\[10\]=\d+$/m],
  },
  {
    title: 'How many calls of an async function are in flight?',
    says: 'Calls that began before the script are not counted: their ends must not count, either.',
    bpftrace:
      'kprobe:query { @now++; @most = max(@now); }\nkretprobe:query /@now > 0/ { @now--; }\ninterval:s:2 { clear(@now); exit(); }',
    stap: 'global now, most\nprobe kernel.function("query") { if (++now > most) most = now }\nprobe kernel.function("query").return { if (now > 0) now-- }\nprobe timer.s(2) { printf("%d at most\\n", most); exit() }',
    shows: [/^@most: [1-9]\d*$/m, /^[1-9]\d* at most$/m],
  },
  {
    title: 'How long does it take from one function to another, by order?',
    says: 'The first argument of both is the order’s number: milliseconds from `accept` to `ship`.',
    bpftrace:
      'kprobe:accept { @at[arg0] = nsecs; }\nkprobe:ship /@at[arg0]/ { @ms = lhist((nsecs - @at[arg0]) / 1000000, 0, 100, 10); delete(@at[arg0]); }\ninterval:s:2 { clear(@at); exit(); }',
    stap: 'global at, ms\nprobe kernel.function("accept") { at[$id] = gettimeofday_ms() }\nprobe kernel.function("ship") { if ($id in at) { ms <<< gettimeofday_ms() - at[$id]; delete at[$id] } }\nprobe timer.s(2) { print(@hist_linear(ms, 0, 100, 10)); exit() }',
    shows: [/^\[10, 20\) +\d+ \|@+/m, /^ *10 \|@+ +\d+$/m],
  },
];
