import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ARM64_PLATFORM, withoutArm64 } from './testing/arm64-platform.js';
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
  THREADS,
  VALUES,
} from './testing/programs-in-c.js';
import { checkNesting, compileTraced, graphOf, runPlain, runTraced } from './testing/traced-program.js';

/** Both tracers on arm64: programs in C and C++ that are run by qemu-aarch64 where this is no arm64. */

const platform = ARM64_PLATFORM;
const skip = withoutArm64;

const SMALL = String.raw`
#include <stdio.h>
__attribute__((noinline)) int leaf(int x) { __asm__ volatile(""); return x + 1; }
__attribute__((noinline)) int branch(int x) { int y = leaf(x); __asm__ volatile(""); return leaf(y); }
int main(void) { printf("%d\n", branch(40)); return 0; }
`;

/** The ways to compile sites that gcc has, as flags; without any, functions are reached by jumps. */
const FORMS = [
  ['-O1', '-fpatchable-function-entry=2'],
  ['-O2', '-fpatchable-function-entry=4,2'],
  ['-O2', '-fpatchable-function-entry=2', '-mbranch-protection=standard'],
  ['-O2'],
] as const;

for (const flags of FORMS) {
  test(`arm64, ${flags.join(' ')}: each call with its caller, each entry with its exit`, { skip }, (t) => {
    const options = { platform, jumps: flags.length === 1 };
    const program = compileTraced(t, SMALL, ['-fno-optimize-sibling-calls', ...flags], options);
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
    const followed = runTraced(program, { tracer: 'function_graph' });
    assert.equal(followed.output, '42\n');
    const calls = ['main(', '  branch(', '    leaf(', '    )leaf', '    leaf(', '    )leaf', '  )branch', ')main'];
    assert.deepEqual(followed.records.map(graphOf), [calls]);
    assert.equal(followed.open, 0);
    const exits = runTraced(program, { tracer: 'function_graph', results: true }).records.flat();
    assert.deepEqual(
      exits.flatMap(({ name, result }) => (result === undefined ? [] : `${name} ${result}`)),
      ['leaf 41', 'leaf 42', 'branch 42', 'main 0'],
    );
  });
}

test('arm64: what a function jumps to is inside its call', { skip }, (t) => {
  const source = String.raw`
    #include <stdio.h>
    __attribute__((noinline)) int last(int x) { __asm__ volatile(""); return x * 2; }
    __attribute__((noinline)) int work(int x) { __asm__ volatile(""); return x; }
    __attribute__((noinline)) int middle(int x) { return last(work(x)); }
    __attribute__((noinline)) int first(int x) { return middle(work(x) + 1); }
    int main(void) { printf("%d\n", first(20)); return 0; }`;
  for (const flags of [
    ['-fpatchable-function-entry=2', '-mbranch-protection=standard'],
    ['-pg', '-fno-omit-frame-pointer'],
    [],
  ]) {
    const program = compileTraced(t, source, ['-O2', ...flags], { platform, jumps: flags.length === 0 });
    const { output, records, open } = runTraced(program, { tracer: 'function_graph' });
    assert.equal(output, '42\n');
    assert.equal(open, 0);
    assert.deepEqual(graphOf(records[0]!), [
      ...['main(', '  first(', '    work(', '    )work', '    middle('],
      ...['      work(', '      )work', '      last(', '      )last', '    )middle', '  )first', ')main'],
    ]);
  }
});

test('arm64: a list of operations, alone and before function_graph', { skip }, (t) => {
  for (const flags of [['-O1', '-fpatchable-function-entry=2'], ['-O1']]) {
    const program = compileTraced(t, SMALL, flags, { platform, jumps: flags.length === 1 });
    const alone = runTraced(program, { tracer: 'function', lists: true });
    assert.equal(alone.output, '42\n');
    assert.deepEqual(
      alone.records[0]!.map(({ event, name }) => `${event} ${name}`),
      ['function main', 'function branch', 'function leaf', 'function leaf'],
    );
    const both = runTraced(program, { tracer: 'function_graph', lists: true });
    assert.equal(both.output, '42\n');
    const [calls, others] = [true, false].map((is) => both.records[0]!.filter(({ event }) => (event === 'function') === is));
    assert.deepEqual(
      calls!.map(({ name }) => name),
      ['main', 'branch', 'leaf', 'leaf'],
    );
    assert.equal(others!.length, 8);
    checkNesting(others!);
  }
});

/** Frames of many forms. That of `far` is too large for one instruction. */
const FRAMES = String.raw`
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#define NO __attribute__((noinline))
NO int leaf(int x) { __asm__ volatile(""); return x + 1; }
NO int page(int n) { char a[6000]; memset(a, n, sizeof a); return a[leaf(n)]; }
NO int far(int n) { char a[100000]; memset(a, n, sizeof a); return n == 0 ? 0 : far(n - 1) + a[n]; }
NO int asked(int n) { char a[n]; memset(a, n, n); return a[leaf(n) - 2]; }
NO double mixed(double a, int b, double c) { return a + c * leaf(b); }
NO int many(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j) { return a+b+c+d+e+f+g+h+i*leaf(j); }
NO int any(const char *f, ...) { va_list l; va_start(l, f); int r = leaf(va_arg(l, int)); va_end(l); return r; }
int main(void) {
  int sum = page(3);
  sum += far(2);
  sum += asked(40);
  double m = mixed(1.5, 2, 3.25);
  sum += many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
  printf("%d %g\n", sum + any("", 5), m);
  return 0;
}
`;
const withLeaf = (name: string): string[] => [`  ${name}(`, '    leaf(', '    )leaf', `  )${name}`];
const FRAMES_GRAPH = [
  'main(',
  ...withLeaf('page'),
  ...['  far(', '    far(', '      far(', '      )far', '    )far', '  )far'],
  ...['asked', 'mixed', 'many', 'any'].flatMap(withLeaf),
  ')main',
];

for (const options of ['-O0', '-O1 -mbranch-protection=standard', '-O1 -fstack-clash-protection']) {
  test(`arm64, -pg ${options}: the return address is in the frame, where it may be signed`, { skip }, (t) => {
    const program = compileTraced(t, FRAMES, ['-pg', ...options.split(' ')], { platform });
    const plain = runPlain(program);
    const run = runTraced(program, { tracer: 'function' });
    assert.equal(run.output, plain);
    const main = program.functions.find(({ name }) => name === 'main')!;
    const called = run.records[0]!.filter(({ parent }) => parent > program.base + main.start && parent < program.base + main.end);
    assert.deepEqual(
      called.map(({ name }) => name),
      ['page', 'far', 'asked', 'mixed', 'many', 'any'],
    );
    const followed = runTraced(program, { tracer: 'function_graph' });
    assert.equal(followed.output, plain);
    assert.deepEqual(followed.records.map(graphOf), [FRAMES_GRAPH]);
    assert.equal(followed.open, 0);
  });
}

test('arm64: every call of 16 threads is recorded, or counted', { skip }, (t) => {
  const program = compileTraced(t, THREADS, ['-O2', '-fpatchable-function-entry=2'], { platform });
  const plain = runPlain(program, '20');
  const calls = Number(plain.split(' ')[1]);
  const ran = runTraced(program, { tracer: 'function' }, '20');
  assert.equal(ran.output, plain);
  assert.equal(ran.recorded + ran.overrun + ran.dropped, calls);
  const followed = runTraced(program, { tracer: 'function_graph' }, '20');
  assert.equal(followed.output, plain);
  assert.equal(followed.recorded + followed.overrun + followed.dropped, 2 * calls, 'an entry and an exit each');
  assert.equal(followed.open, 0);
});

test('arm64: sites that are armed and disarmed while 16 threads run through them', { skip }, (t) => {
  const program = compileTraced(t, THREADS, ['-O2', '-fpatchable-function-entry=2'], { platform });
  const plain = runPlain(program, '150');
  const calls = Number(plain.split(' ')[1]);
  for (const [tracer, each] of [
    ['function', 1],
    ['function_graph', 2],
  ] as const) {
    const run = runTraced(program, { tracer, live: true }, '150');
    assert.equal(run.output, plain);
    const events = run.recorded + run.overrun + run.dropped;
    assert.ok(events > 0 && events < calls * each, `${events} events of ${calls} calls`);
    assert.equal(run.open, 0);
    for (const records of run.records) checkNesting(records);
  }
});

/**
 * Functions with and without sites. Return addresses are signed behind the site: what function_graph puts there is signed too.
 * Behind a prologue fentry signs it itself.
 */
const SITES = [
  ['sites and signed return addresses', ['-O2', '-fpatchable-function-entry=2', '-mbranch-protection=standard'], false],
  ['no sites', ['-O2'], true],
] as const;
const PROFILED = ['calls of _mcount and signed return addresses', ['-O2', '-pg', '-mbranch-protection=standard'], false] as const;
/** What has frames that are left without a return, and stacks in frames. */
const LEAVING = ['exceptions', 'longjmp, siglongjmp and signals', 'stacks in the stack'];

const PROGRAMS: readonly (readonly [
  name: string,
  source: string,
  language: 'c' | 'c++',
  flags: readonly string[],
  ...args: string[],
])[] = [
  ['exceptions', EXCEPTIONS, 'c++', []],
  ['exceptions out of signal handlers', HANDLERS, 'c++', ['-fnon-call-exceptions']],
  ['longjmp, siglongjmp and signals', JUMPS, 'c', [], '30'],
  ['coroutines', COROUTINES, 'c', []],
  ['stacks in the stack', STACKS_IN_STACK, 'c', []],
  ['stacks that are left', LEFT_STACKS, 'c', []],
  ['fork, vfork, pthread_exit', PROCESSES, 'c', ['-fexceptions']],
  ['pthread_cancel', CANCELS, 'c', ['-fexceptions']],
  ['functions that end in a jump', JUMPED, 'c++', []],
  ['values of every kind, tail calls', VALUES, 'c', ['-Wno-psabi']],
];

for (const [name, source, language, more, ...args] of PROGRAMS) {
  for (const [sites, flags, jumps] of LEAVING.includes(name) ? [...SITES, PROFILED] : SITES) {
    test(`arm64, ${name}: the same output with ${sites}, traced and not`, { skip }, (t) => {
      const program = compileTraced(t, source, [...flags, ...more], { language, jumps, platform });
      const plain = runPlain(program, ...args);
      for (const tracer of ['function', 'function_graph'] as const) {
        const { output, status, signal, recorded } = runTraced(program, { tracer }, ...args);
        assert.deepEqual({ tracer, output, status, signal }, { tracer, output: plain, status: 0, signal: null });
        assert.ok(recorded > 20, `${recorded} records`);
      }
    });
  }
}

for (const flags of ['-mcmodel=tiny', '-mcmodel=small', '-mcmodel=small -mbranch-protection=standard']) {
  test(`arm64, ${flags}: addresses that functions make of themselves are those of the program, and calls by them are recorded`, {
    skip,
  }, (t) => {
    const program = compileTraced(t, OWN_ADDRESSES, ['-O2', ...flags.split(' ')], { jumps: true, platform });
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
