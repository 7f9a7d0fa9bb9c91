/** What a verb's own man page has besides its help. */
export interface Manual {
  /** What stands before the options. */
  readonly description: string;
  /** Sections of rows: what is written, and what it means. */
  readonly sections: Readonly<Record<string, readonly (readonly [head: string, text: string])[]>>;
  readonly examples: readonly (readonly [question: string, command: string])[];
  /** Further pages: `bpftrace (8)`. */
  readonly seeAlso: readonly string[];
}

const HARMLESS =
  "A script only reads. It ends with its client, also with one that is killed, and ends by itself where its handlers take over half of a thread's second.";

/** The verbs that have a man page of their own, by their names. */
export const MANUALS: Readonly<Record<string, Manual>> = {
  bpftrace: {
    description: `Runs a script in the language of bpftrace 0.17 in a running Node.js process, or in one that it starts. The language is that of bpftrace (8); the functions are those of the program, and the events those of fentry. Without -p the only process that is traced is meant. ${HARMLESS}`,
    sections: {
      PROBES: [
        ['kprobe:[PACKAGE:]FUNCTION, k', 'calls of a function; arg0, arg1, ... are its arguments'],
        ['kretprobe:[PACKAGE:]FUNCTION, kr', 'ends of calls, of async functions when they settle; retval is what they return'],
        ['kfunc:[PACKAGE:]FUNCTION, f, fentry', 'as kprobe; args.NAME is a parameter'],
        ['kretfunc:[PACKAGE:]FUNCTION, fr, fexit', 'as kretprobe; args.NAME is what the call was given'],
        ['uprobe:FILE:FUNCTION, uretprobe', 'functions of one file'],
        ['tracepoint:SYSTEM:EVENT, t', 'an event of available_events; args.FIELD is a field'],
        ['usdt:node:MARK, U', 'a mark that Node.js had until version 18: http__server__request'],
        ['interval:s:N, ms, us, hz', 'a timer, which also comes while the program is in an endless loop'],
        ['profile:hz:N, s, ms, us', 'samples of each thread of the program that runs'],
        ['BEGIN, END', 'before all others, and when the script ends'],
      ],
      VARIABLES: [
        ['args.NAME, argN, retval', 'values of the program; no getter and no Proxy is run'],
        ['func, probe, comm, pid, tid, cpu, nsecs, elapsed, ustack', 'where and when a probe was hit'],
        ['@NAME, @NAME[KEY, ...]', 'maps, which are printed at the end'],
        ['$NAME', 'a variable of a handler; $1 is an argument of the script'],
      ],
      ENVIRONMENT: [
        ['BPFTRACE_STRLEN', 'bytes of a text: 64'],
        ['BPFTRACE_MAP_KEYS_MAX', 'the most keys of a map: 4096'],
      ],
    },
    examples: [
      ['Which function is called most?', "fentry bpftrace -e 'kprobe:* { @[func] = count(); } interval:s:5 { exit(); }'"],
      [
        'How long does a function take?',
        "fentry bpftrace -e 'kprobe:render { @s[tid] = nsecs; } kretprobe:render /@s[tid]/ { @us = hist((nsecs - @s[tid]) / 1000); }'",
      ],
      [
        'Which URL is slow?',
        "fentry bpftrace -e 'tracepoint:http:server_request_end { @us[str(args.url)] = stats(args.duration / 1000); }'",
      ],
      ['Where does a busy thread spend its time?', "fentry bpftrace -e 'profile:hz:99 { @[ustack(5)] = count(); }'"],
    ],
    seeAlso: ['fentry (1)', 'fentry-stap (1)', 'bpftrace (8)'],
  },
  stap: {
    description: `Runs a script in the language of SystemTap 4.8 in a running Node.js process, or in one that it starts. The language is that of stap (1), without embedded C; the functions are those of the program, and the events those of fentry. Without -x the only process that is traced is meant. ${HARMLESS}`,
    sections: {
      'PROBE POINTS': [
        ['kernel.function("NAME@FILE:LINE")', 'calls of a function of the program; * and ? are wildcards'],
        ['kernel.function("NAME").return', 'ends of calls, of async functions when they settle, by exceptions too'],
        ['module("PACKAGE").function("NAME")', 'functions of a package'],
        ['process("FILE").function("NAME")', 'functions of a file'],
        ['kernel.statement("*@FILE:LINE")', 'a line'],
        ['kernel.trace("SYSTEM:EVENT")', 'an event of available_events'],
        ['process("node").mark("MARK")', 'a mark that Node.js had until version 18: http__server__request'],
        ['timer.s(N), .ms, .us, .ns, .hz', 'a timer, which also comes while the program is in an endless loop'],
        ['timer.profile', 'samples of each thread of the program that runs'],
        ['begin, end, error, oneshot, never', 'the life of the script'],
        ['syscall.NAME, nd_syscall.NAME, scheduler.NAME, softirq.entry, node_http_server_request, ...', 'aliases of the tapsets'],
      ],
      VALUES: [
        ['$NAME, $NAME->MEMBER, $NAME[N], $this, $return', 'values of the program; no getter and no Proxy is run'],
        ['$NAME$, $$parms, $$vars', 'values as text'],
        ['@entry(EXPRESSION)', 'what it was when the same call began'],
        ['thrown()', 'the text of the exception that ended a call, or ""'],
      ],
      LIMITS: [
        ['MAXACTION', 'statements of a handler: 1000; of begin, end and timers ten times as many'],
        ['MAXMAPENTRIES', 'entries of an array: 2048'],
        ['MAXSTRINGLEN, MAXNESTING, MAXERRORS, MAXSKIPPED', 'as in stap (1)'],
      ],
    },
    examples: [
      [
        'Which function is called most?',
        'fentry stap -e \'global n probe kernel.function("*") { n[ppfunc()]++ } probe timer.s(5) { exit() }\'',
      ],
      [
        'How long does a function take?',
        'fentry stap -e \'global us probe kernel.function("render").return { us <<< gettimeofday_us() - @entry(gettimeofday_us()) } probe end { print(@hist_log(us)) }\'',
      ],
      ['Which URLs are asked for?', "fentry stap -e 'probe node_http_server_request { println(probestr) }'"],
      ['Which variables has an event?', 'fentry stap -L \'kernel.trace("http:*")\''],
    ],
    seeAlso: ['fentry (1)', 'fentry-bpftrace (1)', 'stap (1)', 'stapprobes (3stap)'],
  },
};
