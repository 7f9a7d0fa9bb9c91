import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { compileGlob } from '../../base/glob.js';
import type { ScriptTarget, TargetEvent, TargetFunction } from '../target.js';
import { compileBpftrace } from './compile.js';
import { compileBpftraceScript } from './compile-script.js';
import { parseScript } from './parser.js';
import { showProgram } from './show-program.js';
import { PROGRAMS } from './testing/programs.js';
import { REFUSED_TEXTS } from './testing/refused-texts.js';

const FUNCTIONS: readonly TargetFunction[] = [
  { symbol: 'handle', module: '', file: '/shop/server.js', line: 3, params: ['req', 'res'] },
  { symbol: 'handleOrder', module: '', file: '/shop/server.js', line: 9, params: ['order'] },
  { symbol: 'Router.route', module: 'express', file: '/shop/node_modules/express/router.js', line: 1, params: ['path'] },
];
const EVENTS: readonly TargetEvent[] = [
  {
    system: 'sched',
    name: 'sched_switch',
    fields: [
      { name: 'prev_comm', type: 'char', isText: true },
      { name: 'prev_pid', type: 'pid_t', isText: false },
    ],
  },
  {
    system: 'net',
    name: 'stream_end',
    fields: [
      { name: 'skaddr', type: 'u64', isText: false },
      { name: 'remote', type: 'char', isText: true },
    ],
  },
  { system: 'sched', name: 'sched_wakeup', fields: [{ name: 'pid', type: 'pid_t', isText: false }] },
];
const TARGET: ScriptTarget = {
  pid: 7,
  command: 'node',
  isStarting: false,
  functions: ({ symbol, module }) =>
    FUNCTIONS.filter((one) => compileGlob(symbol).test(one.symbol) && (module === undefined || one.module === module)),
  statement: () => 'none',
  events: (system, name) =>
    EVENTS.filter((event) => compileGlob(system).test(event.system) && compileGlob(name).test(event.name)),
};
const STARTING: ScriptTarget = { ...TARGET, isStarting: true, functions: () => [] };

/** What a text is refused with; '' if it is not. */
function refusal(text: string, target = TARGET): string {
  try {
    compileBpftrace(text, target);
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

describe('what scripts become', () => {
  for (const { what, script, args, program } of PROGRAMS) {
    it(what, () => assert.equal(showProgram(compileBpftrace(script, TARGET, args ? { args } : {}).program), program));
  }

  it('prints all maps at the end, by their names', () => {
    const { program } = compileBpftrace('BEGIN { @b = 1; @ = 2; @a[5] = count(); }', TARGET);
    assert.deepEqual(
      program.printedAtEnd.map((id) => program.globals[id]!.name),
      ['@', '@a', '@b'],
    );
  });

  it('takes sizes from its options', () => {
    const script = {
      text: 'BEGIN { @ = 1; }',
      file: 'stdin',
      words: ['-D', 'BPFTRACE_STRLEN=200', '-D', 'BPFTRACE_MAP_KEYS_MAX=5'],
    };
    const compiled = compileBpftraceScript(script, TARGET);
    assert(compiled.kind === 'program');
    assert.equal(compiled.program.limits.MAXSTRINGLEN, 200);
    assert.equal(compiled.program.globals[0]!.maxEntries, 5);
  });
});

describe('what is refused', () => {
  for (const [text, message] of REFUSED_TEXTS) {
    it(JSON.stringify(text), () => assert.equal(refusal(text, STARTING).split('\n')[0], message));
  }

  it('shows the line and the place in it', () => {
    assert.equal(
      refusal('BEGIN\n{\n\tprint(@a + 1); @a = "x";\n}'),
      "stdin:3:2-14: ERROR: Type mismatch for '+': comparing 'string[2]' with 'int64'\n\tprint(@a + 1); @a = \"x\";\n\t~~~~~~~~~~~~",
    );
  });

  it('names what is alike', () => {
    assert.match(
      refusal('kprobe:handel { @ = 1; }'),
      /^stdin:1:1-14: ERROR: kprobe:handel: the program has no such function \(similar: handle\)/,
    );
    assert.match(refusal('t:sched:sched_swich { }'), /tracepoint not found: sched:sched_swich \(similar: sched:sched_switch\)/);
    assert.match(refusal('BEGIN { prnt(1); }'), /Unknown function: prnt \(similar: print\)/);
    assert.match(refusal('kfunc:handle { print(args.rec); }'), /Can't find function parameter rec \(similar: req, res\)/);
    assert.match(
      refusal('t:sched:sched_switch { print(args.prev_id); }'),
      /does not contain a field named 'prev_id' \(similar: prev_pid\)/,
    );
  });

  it('says what to use in place of what the kernel alone has', () => {
    assert.match(refusal('software:faults:1 { }'), /software probes cannot be had here: /);
    assert.match(
      refusal('k:handle { $s = (struct sock *)arg0; }'),
      /Unknown struct\/union: 'struct sock': .*args\.NAME\.PROPERTY/,
    );
    assert.match(refusal('k:handle { system("ls"); }'), /unsafe function being used in safe mode: fentry runs no command/);
    assert.match(refusal('k:handle { kaddr("x"); }'), /kaddr\(\) cannot be had here/);
  });

  it('warns of a place that is not there if the block has another', () => {
    const { program, warnings } = compileBpftrace('k:gone, k:handle { @ = count(); }', TARGET);
    assert.equal(program.handlers.length, 1);
    assert.match(warnings.join(), /stdin:1:1-7: WARNING: kprobe:gone: the program has no such function/);
  });
});

describe('hostile texts', () => {
  const MANY = 100_000;
  const TEXTS: Readonly<Record<string, string>> = {
    parentheses: `BEGIN { @x = ${'('.repeat(MANY)}1${')'.repeat(MANY)}; }`,
    braces: `BEGIN ${'{ if (1) '.repeat(MANY)}`,
    minuses: `BEGIN { @x = ${'-'.repeat(MANY)}1; }`,
    bangs: `BEGIN { @x = ${'!'.repeat(MANY)}1; }`,
    sums: `BEGIN { @x = 1${' + 1'.repeat(MANY)}; }`,
    elses: `BEGIN { ${'if (1) { } else '.repeat(MANY)} { } }`,
    choices: `BEGIN { @x = ${'1 ? 1 : '.repeat(MANY)}1; }`,
    fields: `BEGIN { @x = $y${'.a'.repeat(MANY)}; }`,
    casts: `BEGIN { @x = ${'(uint8)'.repeat(MANY)}1; }`,
    keys: `BEGIN { @x${'[@y'.repeat(MANY)}`,
    'an open string': 'BEGIN { printf("abc',
    'an open comment': 'BEGIN { /* ',
    'NUL bytes': 'BEGIN { \0 @x = 1; }',
    'a macro that doubles': `${Array.from({ length: 40 }, (_, i) => `#define A${i} A${i + 1} A${i + 1}\n`).join('')}BEGIN { @x = A0; }`,
    'macros in a circle': '#define A B\n#define B A\nBEGIN { @x = A; }',
    slashes: `BEGIN ${'/'.repeat(MANY)}`,
    blanks: ' '.repeat(MANY),
    'a long number': `BEGIN { @x = ${'9'.repeat(MANY)}; }`,
  };
  for (const [what, text] of Object.entries(TEXTS)) {
    it(`refuses ${what}, and says where`, () => assert.match(refusal(text), /^stdin:\d+[-:\d]+: ERROR: /));
  }

  it('takes names of JavaScript for what they are', () => {
    const { program } = compileBpftrace('BEGIN { @__proto__ = 1; @constructor["__proto__"] = 2; $toString = 3; }', TARGET);
    assert.deepEqual(
      program.globals.map(({ name }) => name),
      ['@__proto__', '@constructor'],
    );
    assert.match(refusal('BEGIN { hasOwnProperty(); }'), /Unknown function: hasOwnProperty/);
    assert.match(refusal('BEGIN { print(constructor); }'), /Unknown identifier: 'constructor'/);
  });
});

describe('the list of points', () => {
  const list = (...words: readonly string[]): string => {
    const compiled = compileBpftraceScript({ text: '', file: 'stdin', words: ['-l', ...words] }, TARGET);
    return compiled.kind === 'text' ? compiled.text : 'a program';
  };

  it('takes globs, and several', () => {
    assert.equal(list('kprobe:handle*'), 'kprobe:handle\nkprobe:handleOrder\n');
    assert.equal(list('k:express:*,t:sched:*up'), 'kprobe:express:Router.route\ntracepoint:sched:sched_wakeup\n');
    assert.equal(list('*switch'), 'tracepoint:sched:sched_switch\n');
  });

  it('shows with -v what args has', () => {
    assert.equal(list('-v', 'fentry:handle'), 'kfunc:handle\n    req\n    res\n');
    assert.equal(list('-v', 't:sched:sched_switch'), 'tracepoint:sched:sched_switch\n    char * prev_comm\n    pid_t prev_pid\n');
  });
});

const TOOLS = '/usr/sbin';
const tools = existsSync(TOOLS) ? readdirSync(TOOLS).filter((name) => name.endsWith('.bt')) : [];
it('parses all tools of bpftrace', { skip: tools.length === 0 && 'the package bpftrace is not installed' }, () => {
  for (const name of tools) {
    const { probes } = parseScript({ name, text: readFileSync(`${TOOLS}/${name}`, 'utf8') });
    assert(probes.length > 0, name);
  }
});
