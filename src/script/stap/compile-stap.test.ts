import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Compiled, ScriptRefusal } from '../compiler.js';
import type { ScriptProgram } from '../program.js';
import type { ScriptTarget } from '../target.js';
import { compileStap } from './compile-stap.js';

const glob = (pattern: string): RegExp => new RegExp(`^${pattern.replace(/\*/g, '.*')}$`);

const FUNCTIONS = [
  { symbol: 'area', module: '', file: '/app/shop.js', line: 3, params: ['w', 'h'] },
  { symbol: 'total', module: '', file: '/app/shop.js', line: 9, params: ['order'] },
  { symbol: 'handle', module: 'express', file: '/app/node_modules/express/index.js', line: 7, params: ['req', 'res'] },
];
const number = (name: string) => ({ name, type: 'unsigned int', isText: false }) as const;
const text = (name: string) => ({ name, type: 'char', isText: true }) as const;
const EVENTS = [
  { system: 'irq', name: 'softirq_entry', fields: [number('vec')] },
  {
    system: 'sched',
    name: 'sched_switch',
    fields: [text('prev_comm'), number('prev_pid'), text('next_comm'), number('next_pid')],
  },
  {
    system: 'syscalls',
    name: 'sys_enter_openat',
    fields: [number('__syscall_nr'), number('dfd'), text('filename'), number('req')],
  },
  { system: 'net', name: 'stream_end', fields: [number('skaddr'), text('remote'), number('port'), number('fd')] },
  { system: 'syscalls', name: 'sys_exit_openat', fields: [number('__syscall_nr'), number('ret'), number('req')] },
];

/** A program of three functions and five events. */
const SHOP: ScriptTarget = {
  functions: ({ symbol, module }) =>
    FUNCTIONS.filter((one) => glob(symbol).test(one.symbol) && (module === undefined || module === one.module)),
  statement: ({ line }) => (line === 10 ? { variables: ['sum'] } : `line ${line} has no statement`),
  events: (system, name) => EVENTS.filter((one) => glob(system).test(one.system) && glob(name).test(one.name)),
  pid: 42,
  command: 'node',
  isStarting: false,
};

const compile = (source: string, ...words: string[]): Compiled =>
  compileStap({ text: source, file: '<input>', words }, SHOP) as Compiled;

function programOf(source: string): ScriptProgram {
  const compiled = compile(source);
  assert.equal(compiled.kind, 'program');
  return (compiled as Extract<Compiled, { kind: 'program' }>).program;
}

/** What is said of a script that is refused; without the last line, which all have. */
function refusal(source: string, ...words: string[]): string {
  try {
    compile(source, ...words);
  } catch (error) {
    if (error instanceof ScriptRefusal) return error.message.replace('\nPass 2: analysis failed.  [man error::pass2]\n', '');
    throw error;
  }
  return 'is taken';
}

/** Types of globals: `n[long]: stats`. */
const globalsOf = (source: string): readonly string[] =>
  programOf(source).globals.map(({ name, keys, type }) => `${name}${keys.length === 0 ? '' : `[${keys.join()}]`}: ${type}`);

test('points list as stap -L prints them, with the kernel’s names and types', () => {
  const listed = (point: string): string => (compile('', '-L', point) as { readonly text: string }).text;
  assert.equal(listed('kernel.trace("irq:softirq_entry")'), 'kernel.trace("irq:softirq_entry") $vec_nr:unsigned int\n');
  assert.equal(
    listed('kernel.trace("sched_switch")'),
    'kernel.trace("sched:sched_switch") $prev:struct task_struct* $next:struct task_struct*\n',
  );
  assert.equal(
    listed('kernel.function("*").return'),
    'kernel.function("area@/app/shop.js:3").return $return:value $w:value $h:value\n' +
      'kernel.function("total@/app/shop.js:9").return $return:value $order:value\n',
  );
  assert.equal(
    listed('process("node").mark("*")'),
    'process("node").mark("net__stream__end") $arg1:long $arg2:long $arg3:long $arg4:long\n',
  );
  assert.equal(listed('timer.*'), 'timer.profile\n');
  assert.equal(listed('softirq.entry'), 'softirq.entry name vec_nr h vec action\n');
  assert.equal(refusal('', '-l', 'nosuch.*'), '');
});

test('types follow from use; what the program holds becomes a number or a text where it is used as one', () => {
  assert.deepEqual(globalsOf('global n probe begin { n[1, "a"] <<< 2 println(@count(n[1, "a"])) }'), ['n[long,string]: stats']);
  assert.deepEqual(globalsOf('global n probe kernel.function("area") { n[$w] += $h }'), ['n[value]: long']);
  assert.deepEqual(globalsOf('global a probe kernel.trace("sched_switch") { a[$next->comm] = $next->pid }'), ['a[string]: long']);
  assert.deepEqual(globalsOf('global t probe begin { t = f() } function f() { return "x" }'), ['t: string']);
});

test('a handler fetches only what it can reach: @defined decides when the script is compiled', () => {
  const fetched = (source: string) => programOf(source).handlers.flatMap(({ fetches }) => fetches);
  assert.deepEqual(fetched('probe kernel.trace("irq:softirq_entry") { println(@defined($h) ? $h->x : $vec_nr) }'), [
    { kind: 'variable', name: 'vec' },
  ]);
  assert.deepEqual(fetched('probe kernel.function("total") { println(user_string($order->items[0]->name)) }'), [
    {
      kind: 'member',
      name: 'name',
      of: {
        kind: 'member',
        name: '0',
        of: { kind: 'member', name: 'items', of: { kind: 'variable', name: 'order' } },
      },
    },
  ]);
});

test('! and ? choose between points; an alias adds its body', () => {
  const points = (source: string) => programOf(source).handlers.map(({ resolvedName }) => resolvedName);
  assert.deepEqual(points('probe kernel.trace("irq_softirq_entry") !, kernel.trace("softirq_entry") ? {}'), [
    'kernel.trace("irq:softirq_entry")',
  ]);
  assert.deepEqual(points('probe a = begin, end { x = 1 } probe a { println(x) }'), ['begin', 'end']);
  assert.deepEqual(points('probe syscall.open.return { println(retval) }'), ['kernel.trace("syscalls:sys_exit_openat")']);
});

test('globals that are written and never read are printed at the end', () => {
  assert.deepEqual(programOf('global n, m probe begin { n = 1 m = 2 println(m) }').printedAtEnd, [0]);
});

const REFUSED: readonly (readonly [source: string, said: string])[] = [
  [
    'probe begni { }',
    `semantic error: while resolving probe point: identifier 'begni' at <input>:1:7
        source: probe begni { }
                      ^

semantic error: probe point mismatch (similar: begin, end, kernel, never, signal): identifier 'begni' at :1:7
        source: probe begni { }
                      ^
`,
  ],
  [
    'global x probe begin { x = "a" x = 1 println(x) }',
    `semantic error: type mismatch (long): identifier 'x' at <input>:1:32
        source: global x probe begin { x = "a" x = 1 println(x) }
                                               ^

semantic error: type was first inferred here (string): identifier 'x' at :1:24
        source: global x probe begin { x = "a" x = 1 println(x) }
                                       ^
`,
  ],
  [
    'probe begin { println(zz()) }',
    `semantic error: unresolved function zz (similar: HZ, pn, pp, cpu, gid): identifier 'zz' at <input>:1:23
        source: probe begin { println(zz()) }
                                      ^
`,
  ],
  [
    'probe kernel.function("area") { $w = 1 }',
    `semantic error: variables of the program can only be read: write to $w is refused: identifier '$w' at <input>:1:33
        source: probe kernel.function("area") { $w = 1 }
                                                ^
`,
  ],
  [
    'probe begin { 1 = 2 }',
    `semantic error: Expecting lvalue for assignment: operator '=' at <input>:1:17
        source: probe begin { 1 = 2 }
                                ^
number '1' at :1:15
        source: probe begin { 1 = 2 }
                              ^
`,
  ],
];

test('a refusal says what SystemTap says, with place and caret', () => {
  for (const [source, said] of REFUSED) assert.equal(refusal(source), said);
});

test('limits are set by name', () => {
  assert.equal(refusal('probe begin {}', '-DMAXFOO=1').split(';')[0], '-D MAXFOO: there is no such limit');
  assert.equal(
    refusal('probe begin {}', '-D1X=2'),
    "ERROR: Safety pattern mismatch for -D parameter ('1X=2' vs. '^[a-z_][a-z_0-9]*(=-?[a-z_0-9]+)?$') rc=1\n",
  );
  assert.equal(refusal('probe begin {}', '-DMAXACTION=-1'), '-D MAXACTION=-1: the value is a number up to 10000000\n');
});

test('an alias with two bodies puts one before and one behind that of the probe', () => {
  const [handler] = programOf('global n probe a = begin { n = 1 }, { n = 3 } probe a { n = 2 }').handlers;
  const values = handler!.body.map((one) =>
    one.do === 'expression' && one.expression.op === 'assign' ? one.expression.value : one,
  );
  assert.deepEqual(
    values.map((one) => ('value' in one! ? one.value : one)),
    [1n, 2n, 3n],
  );
});

test('pass 1 ends with the tree', () => {
  const compiled = compile('probe begin { a = 1 + b }', '-p1');
  assert.match(
    (compiled as { readonly text: string }).text,
    /^# parse tree dump\n.*\nprobe begin\{\n\(a\) = \(\(1\) \+ \(b\)\);\n/,
  );
});

test('@entry of a system call is kept from its entry on, under the thread and the call', () => {
  const { handlers, globals } = programOf(
    'probe nd_syscall.open.return { println(user_string(@entry(pointer_arg(1))), retval) }',
  );
  assert.deepEqual(
    handlers.map(({ point }) => (point.kind === 'event' ? point.name : point.kind)),
    ['sys_enter_openat', 'sys_exit_openat'],
  );
  assert.deepEqual(handlers[0]!.fetches.map((one) => one.kind === 'variable' && one.name).sort(), ['filename', 'req']);
  assert.deepEqual(
    globals.map(({ keys, type, wraps }) => [keys, type, wraps]),
    [[['long', 'long'], 'string', true]],
  );
});

test('a wildcard hears of a system call once, by its own name', () => {
  assert.deepEqual(
    programOf('probe syscall.* { println(name) }').handlers.map(({ point }) => point),
    [{ kind: 'event', system: 'syscalls', name: 'sys_enter_openat' }],
  );
  assert.equal(programOf('probe syscall.open { println(name) }').handlers.length, 1);
});

test('the arguments of a script are in argv, too', () => {
  const compiled = compile('probe begin { println(argc, argv[1], argv_2, argv_3) }', '--', 'a"b', '\\n');
  assert.equal(compiled.kind, 'program');
  const { globals } = (compiled as Extract<Compiled, { kind: 'program' }>).program;
  const initial = Object.fromEntries(globals.map((one) => [one.name, one.initial]));
  assert.deepEqual([initial.argc, initial.argv_2, initial.argv_3], [2n, '\\n', '']);
});

test('an argument of a system call is no argument of the script', () => {
  const execve = { system: 'syscalls', name: 'sys_enter_execve', fields: [text('filename'), text('argv')] };
  const target = {
    ...SHOP,
    events: (system: string, name: string) =>
      [execve].filter((one) => glob(name).test(one.name) && glob(system).test(one.system)),
  };
  const compiled = compileStap(
    { text: 'probe syscall.* { println(argstr, args, argv[1]) }', file: '<input>', words: [] },
    target,
  );
  assert.equal((compiled as Compiled).kind, 'program');
});

test('all files of the tapsets can be used', () => {
  const taken = [
    '@this1 = 1',
    'qsq_start("a")',
    'println(errno_p(-2))',
    '@prometheus_dump_array1(x, "n", "k")',
    'println(ctime())',
  ];
  for (const text of taken) assert.equal(refusal(`global x probe begin { x[1] = 1 ${text} println(x[1]) }`), 'is taken', text);
  assert.equal(refusal('probe prometheus { } probe begin { }'), 'is taken');
});

test('pn() is the name with its wildcards resolved, of an alias the alias', () => {
  const names = (point: string): readonly string[] =>
    programOf(`probe ${point} { println(pn()) }`).handlers.map(({ name }) => name);
  assert.deepEqual(names('node_net_str*'), ['node_net_stream_end']);
  assert.deepEqual(names('kernel.trace("sched_sw*")'), ['kernel.trace("sched:sched_switch")']);
  assert.deepEqual(names('process("node").mark("net__*")'), ['process("node").mark("net__stream__end")']);
  assert.deepEqual(names('kernel.function("a*")'), ['kernel.function("a*")']);
});

test('variables that are read and that nothing gives a value are warned of', () => {
  const said = (source: string): string => (compile(source) as Extract<Compiled, { kind: 'program' }>).warnings;
  assert.equal(
    said('global n, t, s\nprobe begin { println(n + 1); println(t["x"] . ""); println(@count(s)); exit() }'),
    `WARNING: never-assigned global variable 'n' (similar: n, s, t): identifier 'n' at <input>:1:8
 source: global n, t, s
                ^
WARNING: never-assigned global variable 't' (similar: t, n, s): identifier 't' at :1:11
 source: global n, t, s
                   ^
WARNING: never-assigned global variable 's' (similar: s, n, t): identifier 's' at :1:14
 source: global n, t, s
                      ^
`,
  );
  assert.match(
    said('global used probe begin { used = 1; println(used, un + 1) }'),
    /^WARNING: never-assigned local variable 'un' \(similar: used\)/,
  );
  assert.equal(said('global n = 1, m probe begin { println(n) m++ }'), '');
});

test('a function that is not there is refused with those that may have been meant', () => {
  assert.match(refusal('probe kernel.function("aera") { }'), /^semantic error: no match \(similar functions: area, total\)$/m);
  assert.equal(compile('probe kernel.function("aera")?, begin { }').kind, 'program');
});
