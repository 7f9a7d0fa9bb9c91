import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noCompiler } from '../testing/programs.js';
import { WRITER } from './arena.js';
import {
  CANCELS,
  COROUTINES,
  EXCEPTIONS,
  HANDLERS,
  JUMPED,
  JUMPS,
  LEFT_STACKS,
  OWN_ADDRESSES,
  PROCESSES,
  STACKS_IN_STACK,
  STEPS,
  THREADS,
  VALUES,
} from './testing/programs-in-c.js';
import {
  checkNesting,
  compileTraced,
  graphOf,
  runPlain,
  runTraced,
  type TraceOptions,
  writerField,
} from './testing/traced-program.js';

const skip = noCompiler;

const NOPS = ['-O1', '-fpatchable-function-entry=5'];

const SMALL = String.raw`
#include <stdio.h>
__attribute__((noinline)) int leaf(int x) { __asm__ volatile(""); return x + 1; }
__attribute__((noinline)) int branch(int x) { int y = leaf(x); __asm__ volatile(""); return leaf(y); }
int main(void) { printf("%d\n", branch(40)); return 0; }
`;

test('function: each call with its caller', { skip }, (t) => {
  const program = compileTraced(t, SMALL, NOPS);
  const run = runTraced(program, { tracer: 'function' });
  assert.equal(run.output, '42\n');
  assert.deepEqual(
    run.records.map((records) => records.map(({ name }) => name)),
    [['main', 'branch', 'leaf', 'leaf']],
  );
  const [, , one, other] = run.records[0]!;
  const branch = program.functions.find(({ name }) => name === 'branch')!;
  for (const { parent } of [one!, other!]) {
    assert.ok(parent > program.base + branch.start && parent < program.base + branch.end, 'the caller is branch');
  }
  assert.ok(one!.parent < other!.parent);
});

test('function_graph: each entry has its exit', { skip }, (t) => {
  const program = compileTraced(t, SMALL, NOPS);
  const run = runTraced(program, { tracer: 'function_graph' });
  assert.equal(run.output, '42\n');
  const calls = ['main(', '  branch(', '    leaf(', '    )leaf', '    leaf(', '    )leaf', '  )branch', ')main'];
  assert.deepEqual(run.records.map(graphOf), [calls]);
  assert.equal(run.open, 0);
});

/** The ways to compile sites that gcc has, as flags. */
const FORMS = [
  ['-O1', '-fpatchable-function-entry=5'],
  ['-O2', '-fpatchable-function-entry=16,11'],
  ['-O2', '-pg', '-mfentry', '-mnop-mcount'],
  ['-O2', '-pg', '-mfentry'],
  ['-O1', '-pg'],
  ['-O2', '-fpatchable-function-entry=5', '-fcf-protection=full'],
] as const;

for (const flags of FORMS) {
  test(`${flags.join(' ')}: every call of 16 threads is recorded, or counted`, { skip }, (t) => {
    const program = compileTraced(t, THREADS, flags);
    const plain = runPlain(program);
    const calls = Number(plain.split(' ')[1]);
    const ran = runTraced(program, { tracer: 'function' });
    assert.equal(ran.output, plain);
    assert.equal(ran.recorded + ran.overrun + ran.dropped, calls);
    const followed = runTraced(program, { tracer: 'function_graph' });
    assert.equal(followed.output, plain);
    assert.equal(followed.recorded + followed.overrun + followed.dropped, 2 * calls, 'an entry and an exit each');
    assert.equal(followed.open, 0);
    for (const records of followed.records) checkNesting(records);
  });
}

test('a ring that is full drops new calls, and counts them', { skip }, (t) => {
  const program = compileTraced(t, THREADS, NOPS);
  const plain = runPlain(program);
  const run = runTraced(program, { tracer: 'function', overwrite: false, ringBytes: 8192 });
  assert.equal(run.output, plain);
  assert.equal(run.overrun, 0);
  assert.ok(run.dropped > 0);
  assert.equal(run.recorded + run.dropped, Number(plain.split(' ')[1]));
});

test('threads for which there is no block are not followed; their calls are counted', { skip }, (t) => {
  const program = compileTraced(t, THREADS, NOPS);
  const plain = runPlain(program);
  for (const tracer of ['function', 'function_graph'] as const) {
    const run = runTraced(program, { tracer, threads: 5 });
    assert.equal(run.output, plain);
    assert.equal(run.records.length, 5);
    assert.ok(run.dropped > 0);
  }
});

const PROGRAMS: readonly (readonly [name: string, source: string, language: 'c' | 'c++', flags: readonly string[]])[] = [
  ['exceptions', EXCEPTIONS, 'c++', []],
  ['exceptions out of signal handlers', HANDLERS, 'c++', ['-fnon-call-exceptions']],
  ['longjmp, siglongjmp and signals', JUMPS, 'c', []],
  ['coroutines', COROUTINES, 'c', []],
  ['stacks in the stack', STACKS_IN_STACK, 'c', []],
  ['stacks that are left', LEFT_STACKS, 'c', []],
  ['fork, vfork, pthread_exit', PROCESSES, 'c', ['-fexceptions']],
  ['pthread_cancel', CANCELS, 'c', ['-fexceptions']],
  ['functions that end in a jump', JUMPED, 'c++', []],
  ['values of every kind, tail calls', VALUES, 'c', ['-Wno-psabi']],
];

for (const [name, source, language, more] of PROGRAMS) {
  for (const [sites, flags, jumps] of [
    ['sites at -O2', ['-O2', '-fpatchable-function-entry=5'], false],
    ['no sites at -O2', ['-O2'], true],
  ] as const) {
    test(`${name}: the same output with ${sites}, traced and not`, { skip }, (t) => {
      const program = compileTraced(t, source, [...flags, ...more], { language, jumps });
      const plain = runPlain(program);
      for (const tracer of ['function', 'function_graph'] as const) {
        const { output, status, signal, recorded } = runTraced(program, { tracer });
        assert.deepEqual({ tracer, output, status, signal }, { tracer, output: plain, status: 0, signal: null });
        assert.ok(recorded > 20, `${recorded} records`);
      }
    });
  }
}

test('coroutines that take turns leave no frames behind', { skip }, (t) => {
  const { open, tooDeep, dropped, records } = runTraced(compileTraced(t, COROUTINES, NOPS), {
    tracer: 'function_graph',
    ringBytes: 1 << 20,
  });
  assert.deepEqual({ open, tooDeep, dropped }, { open: 0, tooDeep: 0, dropped: 0 });
  const count = (event: string): number => records.flat().filter((record) => record.event === event).length;
  // Each `body` returns into the end of its coroutine, which is the C library's.
  assert.equal(count('funcgraph_entry'), count('funcgraph_exit'));
});

const UNWINDS = `
#include <cstdio>
__attribute__((noinline)) void leaf() { throw 1; }
__attribute__((noinline)) void middle() { leaf(); __asm__ volatile(""); }
__attribute__((noinline)) int after(int x) { __asm__ volatile(""); return x; }
__attribute__((noinline)) int catches() { try { middle(); } catch (int x) { return after(x) + 1; } return 0; }
int main() { printf("%d\\n", catches()); }
`;

test('calls that an exception has ended have exits that say so', { skip }, (t) => {
  const program = compileTraced(t, UNWINDS, NOPS, { language: 'c++' });
  const { output, records, open } = runTraced(program, { tracer: 'function_graph' });
  assert.equal(output, '2\n');
  // Without c++filt the names stay as the compiler has made them.
  const plainName = (line: string): string => line.replace(/_Z\d+(leaf|middle|after|catches)[vi]/, '$1');
  assert.deepEqual(graphOf(records[0]!).map(plainName), [
    'main(',
    '  catches(',
    '    middle(',
    '      leaf(',
    '      )leaf!',
    '    )middle!',
    '    after(',
    '    )after',
    '  )catches',
    ')main',
  ]);
  assert.equal(open, 0);
});

const TAIL = `
#include <stdio.h>
__attribute__((noinline)) int last(int x) { __asm__ volatile(""); return x * 2; }
__attribute__((noinline)) int work(int x) { __asm__ volatile(""); return x; }
__attribute__((noinline)) int middle(int x) { return last(work(x)); }
__attribute__((noinline)) int first(int x) { return middle(work(x) + 1); }
int main(void) { printf("%d\\n", first(20)); return 0; }
`;

test('what a function jumps to is inside its call', { skip }, (t) => {
  const whole = [
    ...['main(', '  first(', '    work(', '    )work', '    middle('],
    ...['      work(', '      )work', '      last(', '      )last', '    )middle', '  )first', ')main'],
  ];
  const inMiddle = ['middle(', '  work(', '  )work', '  last(', '  )last', ')middle'];
  const graph = (flags: readonly string[], options: Partial<TraceOptions> = {}): readonly string[] => {
    const program = compileTraced(t, TAIL, ['-O2', ...flags], { jumps: flags.length === 0 });
    const { output, records, open } = runTraced(program, { tracer: 'function_graph', ...options });
    assert.equal(output, '42\n');
    assert.equal(open, 0);
    return graphOf(records[0]!);
  };
  for (const flags of [['-fpatchable-function-entry=5'], ['-pg'], []]) assert.deepEqual(graph(flags), whole);
  const sites = ['-pg', '-mfentry'];
  assert.deepEqual(graph(sites, { graphFunctions: ['middle'] }), inMiddle);
  assert.deepEqual(graph(sites, { maxDepth: 3 }), [...whole.slice(0, 5), ...whole.slice(-3)]);
  assert.deepEqual(graph(sites, { only: (name) => name !== 'middle' }), [
    ...['main(', '  first(', '    work(', '    )work', '    work(', '    )work', '    last(', '    )last', '  )first', ')main'],
  ]);
});

test('a loop of jumps nests so far, and no call is lost', { skip }, (t) => {
  const program = compileTraced(t, JUMPED, ['-O2', '-fpatchable-function-entry=5'], { language: 'c++' });
  const { output, records, open, tooDeep, recorded } = runTraced(program, { tracer: 'function_graph', ringBytes: 1 << 21 });
  assert.deepEqual({ open, tooDeep, recorded }, { open: 0, tooDeep: 0, recorded: 2 * Number(output.split(' ')[0]) });
  const depths = records[0]!.flatMap(({ name, depth }) => (/odd|even/.test(name) ? [depth] : []));
  assert.equal(Math.max(...depths), 64);
});

const FAMILY = `
#include <stdio.h>
#define NI __attribute__((noinline))
NI int child(int x) { __asm__ volatile(""); return x + 1; }
NI int other(int x) { int r = child(x); __asm__ volatile(""); return r; }
NI int top(int x) { int r = child(x); r = other(r); r = child(r); __asm__ volatile(""); return r; }
int main(void) { printf("%d\\n", top(39)); return 0; }
`;

test('max_graph_depth, set_graph_function, set_graph_notrace', { skip }, (t) => {
  const program = compileTraced(t, FAMILY, NOPS);
  const graph = (options: Partial<TraceOptions>): readonly string[] => {
    const { output, records, open } = runTraced(program, { tracer: 'function_graph', ...options });
    assert.equal(output, '42\n');
    assert.equal(open, 0);
    return graphOf(records[0] ?? []);
  };
  assert.deepEqual(graph({ maxDepth: 2 }), ['main(', '  top(', '  )top', ')main']);
  assert.deepEqual(graph({ maxDepth: 0 }), []);
  assert.deepEqual(graph({ graphFunctions: ['other'] }), ['other(', '  child(', '  )child', ')other']);
  assert.deepEqual(graph({ graphNotrace: ['other'] }), [
    'main(',
    '  top(',
    '    child(',
    '    )child',
    '    child(',
    '    )child',
    '  )top',
    ')main',
  ]);
  assert.deepEqual(graph({ only: (name) => name === 'child' }), ['child(', ')child', 'child(', ')child', 'child(', ')child']);
});

test('tracing_thresh: only exits, and only of calls that took as long', { skip }, (t) => {
  const program = compileTraced(t, FAMILY, NOPS);
  const exits = runTraced(program, { tracer: 'function_graph', threshold: 1 });
  assert.deepEqual(graphOf(exits.records[0]!), ['    )child', '      )child', '    )other', '    )child', '  )top', ')main']);
  const none = runTraced(program, { tracer: 'function_graph', threshold: 2 ** 50 });
  assert.equal(none.output, '42\n');
  assert.equal(none.recorded, 0);
});

/** What of the code is left at each of its instructions: how many calls are made in steps, which word says that it runs. */
const STEPPED = [
  { what: 'a call', field: undefined, rounds: 1 },
  { what: 'the writing of an event', field: WRITER.BUSY, rounds: 1 },
  { what: 'a change of pages', field: WRITER.MOVE, rounds: 4 },
] as const;

for (const { what, field, rounds } of STEPPED) {
  test(`${what} that siglongjmp leaves at any instruction harms nothing`, { skip }, (t) => {
    const program = compileTraced(t, STEPS, ['-O1', '-fpatchable-function-entry=5']);
    const word = field === undefined ? '0' : String(writerField(program, field));
    for (const tracer of ['function', 'function_graph'] as const) {
      const places =
        field === WRITER.MOVE ? [WRITER.POSITION, WRITER.PAGE_END].map((one) => String(writerField(program, one))) : [];
      const run = runTraced(program, { tracer, ringBytes: 16_384 }, word, String(rounds), ...places);
      assert.deepEqual({ tracer, status: run.status, signal: run.signal }, { tracer, status: 0, signal: null });
      const [calls, lefts] = run.output.split(' ').map(Number) as [number, number];
      assert.ok(lefts > 20, `left at ${lefts} instructions`);
      const events = run.recorded + run.overrun;
      const each = tracer === 'function' ? 1 : 2;
      assert.equal(run.dropped, 0);
      assert.ok(
        events >= calls * each && events <= (calls + 2 * lefts) * each,
        `${events} events of ${calls} calls, ${lefts} left`,
      );
      const times = run.records[0]!.map(({ ts }) => ts);
      assert.deepEqual(
        times,
        times.toSorted((a, b) => a - b),
      );
      assert.equal(run.open, 0);
    }
  });
}

for (const flags of ['-fpie', '-fpie -mcmodel=large', '-fpie -fcf-protection=full']) {
  test(`${flags}: addresses that functions make of themselves are those of the program, and calls by them are recorded`, {
    skip,
  }, (t) => {
    const program = compileTraced(t, OWN_ADDRESSES, ['-O2', ...flags.split(' ')], { jumps: true });
    assert.match(runPlain(program), /^1 1 1 144$/m);
    for (const tracer of ['function', 'function_graph'] as const) {
      const run = runTraced(program, { tracer });
      assert.match(run.output, /^1 1 1 144$/m);
      const calls = run.records.flat().filter(({ event }) => event !== 'funcgraph_exit');
      const counted = ['handler', 'own', 'keep', 'sum'].map((name) => calls.filter((one) => one.name === name).length);
      assert.deepEqual(counted.slice(0, 3), [10, 2, 10]);
      // The compiler has made a loop of a part of the recursion.
      assert.ok(counted[3]! > 20, `${counted[3]} calls of sum`);
    }
  });
}
