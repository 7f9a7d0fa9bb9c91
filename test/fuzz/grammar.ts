/**
 * What the control files take, as seeds for hostile input. A file's phrases are those of every row whose pattern fits its
 * path; words of other files' grammars are hostile enough themselves.
 */

interface GrammarRow {
  readonly files: RegExp;
  readonly phrases: readonly string[];
}

const FUNCTIONS = ['step', 'work', 'handle', 'Shop.order', 'wait', '*', 'w*', '*k', '*or*', 'w?rk', '[s-w]*', 'nothing'];
const NUMBERS = ['0', '1', '2', '7', '64', '1408', '100000', '-1', '0x10', '010', '4294967296', '18446744073709551616'];

const prefixed = (prefix: string, words: readonly string[]): readonly string[] => words.map((word) => `${prefix}${word}`);

const ROWS: readonly GrammarRow[] = [
  {
    files: /set_(ftrace|graph)_|stack_trace_filter/,
    phrases: [
      ...FUNCTIONS,
      ...prefixed('!', FUNCTIONS),
      ...['*:mod:express', ':mod:', ':mod:*', 'step:mod', '*:mod:!*', '1', '2 3', '#', '# a comment', FUNCTIONS.join(' ')],
      ...[
        'step:traceon',
        'work:traceoff:3',
        '!work:traceoff:0',
        'w*:stacktrace:5',
        'wait:snapshot:1',
        '!*:snapshot',
        'step:dump:1',
      ],
      ...[
        'step:enable_event:sched:sched_switch',
        'step:disable_event:a:b:c:d',
        'step:cpudump',
        'step:',
        ':traceon',
        'step:traceon:x',
      ],
    ],
  },
  { files: /_pid$/, phrases: [...NUMBERS, '1 2 3', 'pid', '-7', '99999999'] },
  {
    files: /current_tracer$/,
    phrases: ['nop', 'function', 'function_graph', 'irqsoff', 'preemptoff', 'wakeup', 'hwlat', 'blk', 'function nop'],
  },
  { files: /trace_clock$/, phrases: ['local', 'global', 'mono', 'counter', 'uptime', 'boot', 'tai', '[local]', 'x86-tsc'] },
  {
    files: /trace_options$/,
    phrases: [
      'print-parent',
      'noprint-parent',
      'sym-addr',
      'noannotate',
      'overwrite',
      'nooverwrite',
      'stacktrace',
      'func-args',
      'async-context',
      'noasync-context',
      'patch-at-once',
      'nopatch-at-once',
      'places',
      'noplaces',
      'function-fork',
      'event-fork',
      'bin',
      'hex',
    ],
  },
  { files: /options\/|_on$|enable|snapshot$|timestamp_mode$/, phrases: [...NUMBERS, 'on', 'Y'] },
  { files: /_kb$|percent$|depth$|thresh$|size$|latency$|width$|window$|cpumask$/, phrases: [...NUMBERS, '3f', 'ff,ff', '1K'] },
  { files: /trace_marker$/, phrases: ['hello', '%s %n %p', 'two\nlines', 'x'.repeat(5000), ''] },
  { files: /trace_marker_raw$/, phrases: ['abcd', '\u0001\0\0\0raw bytes', 'x'.repeat(4096)] },
  {
    files: /events\b|_events$|set_event/,
    phrases: [
      'p:probe step',
      'r step $retval',
      '-:probe',
      'ftrace:function',
      '*:*',
      '!*',
      's:x int y',
      'e:a b.c',
      'x > 1 && (y == 2',
      'hist:keys=a',
    ],
  },
];

/** Words that no file waits for. */
export const HOSTILE: readonly string[] = [
  ...[
    '',
    ' ',
    '\n',
    '\n\n\n',
    '\0',
    'a\0b',
    '\r\n',
    '\t',
    '!',
    '!!',
    '!!step',
    ':',
    '::::',
    '[',
    '[a-',
    '**',
    '***a***b***',
    '?'.repeat(64),
  ],
  ...[
    '../../etc/passwd',
    '$(reboot)',
    '`id`',
    '%n%n%n%s',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '\ufeffnop',
    '\ud800',
  ],
  ...[
    'x'.repeat(300),
    'y'.repeat(70_000),
    `${'*a'.repeat(200)}b`,
    'step '.repeat(3000),
    '9'.repeat(400),
    '1e9',
    'NaN',
    '-0',
    'Infinity',
    '0x',
  ],
];

/** What a file takes, and then anything. */
export function phrasesOf(path: string): readonly string[] {
  const fitting = ROWS.filter(({ files }) => files.test(path)).flatMap(({ phrases }) => phrases);
  return fitting.length > 0 ? fitting : NUMBERS;
}
