// What docs/script-examples.md says of each example: reasons in plain words for those that are refused, and words for what the
// lines of the others mean in a program of JavaScript.

const HEADINGS = (why) => `only its headings: ${why}`;
const CONTEXTS = 'tasks are async contexts, and the processes that the program starts';
const PROMETHEUS = 'prints when Prometheus asks, which it cannot here';
const DEVICE = 'devices and inodes are not known to the program';
const C_LIBRARY = HEADINGS('the functions that it names are those of C libraries');

/** What needs a word, by the example's name. */
const NOTES = {
  'accept2close-nd.stp': 'connections that the program accepts',
  'also_ran.stp': PROMETHEUS,
  'ansi_colors.stp': 'prints a table of colours',
  'ansi_colors2.stp': 'prints a table of colours',
  'biolatency.bt': HEADINGS('blocks of disks are the kernel’s'),
  'biostacks.bt': HEADINGS('blocks of disks are the kernel’s'),
  'chng_cpu.stp': 'a thread of the program is its cpu, and never changes it',
  'connect_stat.stp': 'connections to the address that it is given',
  'container_check.stp': 'system calls that fail; capabilities are the kernel’s',
  'cpuwalk.bt': 'a thread of the program is a cpu',
  'cycle_thief.stp': HEADINGS('the target’s number is no context’s'),
  'disktop.stp': DEVICE,
  'fntimes.stp': 'calls that take far longer than those before',
  'forktracker.stp': CONTEXTS,
  'gethostlatency.bt': C_LIBRARY,
  'hw_watch_addr.stp': 'without hardware breakpoints it has no probe',
  'hw_watch_sym.stp': 'without hardware breakpoints it has no probe',
  'inodewatch.stp': DEVICE,
  'interrupts-by-dev.stp': 'interrupts are callbacks of I/O, devices their kinds',
  'iodevstats.stp': `bytes are right; ${DEVICE}: 0, 0`,
  'mmreclaim.stp': HEADINGS('memory of the kernel'),
  'nfs_func_users.stp': HEADINGS('there is no NFS'),
  'killsnoop-nd.stp': 'RESULT is the argument that it reads, the pid: as from the kernel',
  'opensnoop-nd.stp': 'FD of a call that failed is its errno, as from the kernel',
  'pf2.stp': 'samples by function',
  'pf3.stp': 'samples by package and function',
  'pf4.stp': 'samples by stack of functions',
  'pidpersec.bt': CONTEXTS,
  'proc_snoop.stp': CONTEXTS,
  'pstrace_exec.stp': 'commands of the name that it is given',
  'pstree.stp': 'commands that the program starts',
  'qemu_count.stp': 'the points of qemu are optional, and not there',
  'qemu_io.stp': HEADINGS('there is no qemu'),
  'regex.stp': 'names of files stand in quotes, as from SystemTap, and none ends as it asks',
  'runqlat.bt': CONTEXTS,
  'sched-latency.stp': CONTEXTS,
  'sched_switch.stp': CONTEXTS,
  'schedtimes.stp': `${CONTEXTS}; run with -D MAXMAPENTRIES=100000, as there are many. No wait is one for a disk`,
  'spawn_seeker.stp': CONTEXTS,
  'ssllatency.bt': C_LIBRARY,
  'sslsnoop.bt': C_LIBRARY,
  'stopwatches.stp': 'what is no system call counts as user-space, waits too; calls in flight overlap',
  'strace.stp': 'calls in flight show their own number behind the name',
  'syncsnoop.bt': HEADINGS('the shop does not call fsync'),
  'syscallerrorsbypid.stp': PROMETHEUS,
  'syscalllatency.stp': PROMETHEUS,
  'syscallsbypid.stp': `${PROMETHEUS}; at the end its global`,
  'syscount.bt': 'numbers are those of x86-64; those from 1001 on are Node’s own',
  'tcp_connections.stp': HEADINGS('the kernel’s function that it names is optional'),
  'thread-business.stp': 'calls in flight count as threads, as in libuv’s pool',
  'thread-times.stp': 'all time is %kernel: the program stands in the kernel’s place',
  'timer-jiffies.stp': 'prints after twelve seconds',
  'traceio2.stp': DEVICE,
  'vfsstat.bt': HEADINGS('vfs is the kernel’s'),
  'xfsdist.bt': HEADINGS('XFS is the kernel’s'),
};

const POINT = /^[\w*]+(?:\([^)]*\))?(?:\s*\.\s*[\w*{}]+(?:\([^)]*\))?)*/;

/** The point over the first caret of a complaint. */
function pointOf(err) {
  const lines = err.split('\n');
  const at = lines.findIndex((line) => /^\s*\^\s*$/.test(line));
  const line = at > 0 ? lines[at - 1] : '';
  return POINT.exec(line.slice(lines[at]?.indexOf('^') ?? 0))?.[0] ?? '';
}

const KINDS = [
  [/^kernel\.function\("([^"]*)"|^(?:kprobe|module)/, 'a function of the kernel: the program has none of this name'],
  [/^kernel\.trace\("([^"]*)"/, 'an event that Node does not cause'],
  [/^kernel\.(?:data|statement)/, 'a place in the kernel’s text or data'],
  [/^(?:nd_)?syscall/, 'a system call that Node’s library does not make, or that fentry does not see'],
  [/^process/, 'another program’s code or marks'],
  [/^\$/, 'a place that an argument names: statements of a function are not listed by a wildcard'],
];
const OTHER_POINT = 'a point of a tapset for a part of the kernel that a program does not have';

/** Kinds of refusal, by what the message says; the part in parentheses is shown. */
const REASONS = [
  [/embedded/, 'it has code in C'],
  [/variables of the program can only be read/, 'it writes to a variable: a script changes nothing'],
  [/no probes found/, 'it has no probe: a library of functions, or a point that a macro leaves out'],
  [/argument out of range/, 'it needs arguments that are not known'],
  [/unknown operator (@\w+)/, 'a macro of the kernel’s tapsets'],
  [/function (\w+) is refused: .*/, 'a function that has no meaning here'],
  [/unresolved function (\w+)/, 'a function of the kernel’s tapsets, or of a file beside the example'],
  [/there is no event '?([\w:]+)|tracepoint not found: ([\w:]+)/, 'an event that Node does not cause'],
  [/(k(?:ret)?probe:[^:]+): the program has no such function/, 'a function of the kernel: the program has none of this name'],
  [/(u(?:ret)?probe:\S+): the program has no such function/, 'a function of another program or library'],
  [/struct\/union: '(struct \w+)'|(curtask|kaddr)/, 'it reads the kernel’s memory'],
];

/** `[kind of reason, detail]` of a refusal. */
function reasonOf(message, err) {
  if (/while resolving probe point/.test(message)) {
    const point = pointOf(err);
    return [KINDS.find(([begin]) => begin.test(point))?.[1] ?? OTHER_POINT, point];
  }
  const found = REASONS.find(([words]) => words.test(message));
  if (found === undefined) return ['other reasons', message];
  return [found[1], found[0].exec(message).slice(1).find(Boolean) ?? ''];
}

const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** The tables of the page: rows are `{ name, result, detail, err }`. */
export function pageText(rows) {
  const running = rows.filter(({ result }) => result.startsWith('runs'));
  const lines = ['## Those that run', '', '| Script | Lines in two seconds, or in six | |', '| --- | --- | --- |'];
  for (const { name, detail } of running) {
    lines.push(`| ${name} | ${detail === '' ? 'none' : detail.replace(' lines', '')} | ${cell(NOTES[name] ?? '')} |`);
  }
  const kinds = new Map();
  for (const { name, result, detail, err } of rows.filter((row) => !running.includes(row))) {
    const [kind, what] = result === 'refused' ? reasonOf(detail, err) : [result, detail];
    kinds.set(kind, [...(kinds.get(kind) ?? []), what === '' ? name : `${name} (\`${what}\`)`]);
  }
  lines.push('', '## Those that do not', '', '| It needs, or has | Scripts |', '| --- | --- |');
  for (const [kind, names] of [...kinds].sort((a, b) => b[1].length - a[1].length)) {
    lines.push(`| ${cell(kind)} | ${cell(names.join(', '))} |`);
  }
  return `${lines.join('\n')}\n`;
}
