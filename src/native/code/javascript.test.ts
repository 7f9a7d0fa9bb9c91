import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fgraph from '../../ftrace/fgraph.js';
import { noCompiler } from '../testing/programs.js';
import { ARM64_PLATFORM, withoutArm64 } from './testing/arm64-platform.js';
import { compileTraced, graphOf, runTraced } from './testing/traced-program.js';

/**
 * A thread that does what JavaScript does to its shadow stack, between native calls that are followed. `script` stands for its
 * functions.
 */
const program = (steps: string): string => String.raw`
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define KEPT __attribute__((noipa))
static int32_t state[32], functions[16], wants[16];
static double calltimes[16];
static int64_t (*counter)(void);
/* As the test's gate converts it: from 0 on, so that the upper bits are lost. */
#ifdef __x86_64__
#define LOST 3
#else
#define LOST 8
#endif
static uint64_t now(void) { return counter() << LOST >> LOST; }
static int number, seen;
KEPT int script(int n) { return n; }
KEPT int leaf(int n) { seen = state[${fgraph.NATIVE}]; return n + 1; }
KEPT int middle(int n) { return leaf(n) + leaf(n + 1); }
static void enter(int wanted) {
  int depth = state[${fgraph.TOP}]++;
  functions[depth] = number;
  calltimes[depth] = now();
  wants[depth] = wanted;
}
/* An exception leaves all that it has called. */
KEPT int left(int n) { enter(1); enter(0); leaf(n); enter(1); return n; }
static void settle(int depth) { state[${fgraph.TOP}] = depth; state[${fgraph.BUSY}] = 0; }
static uint64_t stamp(int at) { uint64_t both; memcpy(&both, state + at, 8); return both; }
static void *other(void *n) { leaf(1); return n; }
static uint64_t bind, block, counter_address, unbind, close_address, arena;
static void call(uint64_t address, uint64_t argument) { ((void (*)(uint64_t))address)(argument); }
static void *unbinds(void *n) { call(unbind, block); return n; }
int main(void) {
  sscanf(getenv("NATIVE_JAVASCRIPT"), "%" SCNu64 " %" SCNu64 " %" SCNu64 " %d %" SCNu64 " %" SCNu64 " %" SCNu64,
    &bind, &block, &counter_address, &number, &unbind, &close_address, &arena);
  counter = (int64_t (*)(void))counter_address;
  uint64_t (*binds)(uint64_t, int32_t *, int32_t *, double *, int32_t *) = (void *)bind;
  uint64_t before = now();
  printf("bound %d, time goes on %d\n", binds(block, state, functions, calltimes, wants) == block, before > 0 && now() >= before);
  ${steps}
  return 0;
}`;

const GRAPH = String.raw`
  enter(1); enter(1);
  middle(1);
  printf("open in leaf %d, afterwards %d\n", seen, state[${fgraph.NATIVE}]);
  state[${fgraph.QUIET}] = 1; middle(1); state[${fgraph.QUIET}] = 0;
  left(1);
  printf("unwound %d to %d\n", state[${fgraph.BUSY}], state[${fgraph.UNWOUND_TO}]);
  leaf(1);
  settle(1);
  pthread_t thread; pthread_create(&thread, 0, other, 0); pthread_join(thread, 0);
  uint64_t later = now() + 1000000000000;
  memcpy(state + ${fgraph.STAMP}, &later, 8);
  leaf(1);
  printf("later by %d\n", (int)(stamp(${fgraph.NATIVE_STAMP}) - later));
`;

const LIMITS = `
  middle(1);
  state[${fgraph.IN_GRAPH}] = 1; middle(1);
  state[${fgraph.IN_NOTRACE}] = 1; middle(1); state[${fgraph.IN_NOTRACE}] = 0;
  state[${fgraph.IN_GRAPH}] = 0; middle(1);
`;

/** The thread's JavaScript ends, and then fentry's. */
const END = String.raw`
  enter(1);
  pthread_t thread; pthread_create(&thread, 0, unbinds, 0); pthread_join(thread, 0);
  leaf(1);
  uint64_t told = stamp(${fgraph.NATIVE_STAMP});
  printf("told %d", told != 0);
  call(unbind, block);
  memset(state, -1, sizeof state);
  leaf(1);
  printf(", untouched %d\n", stamp(${fgraph.NATIVE_STAMP}) == UINT64_MAX && state[${fgraph.NATIVE}] == -1);
  call(close_address, arena);
  leaf(1);
`;

/**
 * What the thread records: its calls of C, as deep as the open calls of both; and the ends of the two frames of `left` that are
 * wanted.
 */
const RECORDS = [
  ...['    middle(', '      leaf(', '      )leaf', '      leaf(', '      )leaf', '    )middle'],
  ...['    left(', '          leaf(', '          )leaf', '          )script!', '      )script!', '    )left'],
  ...['    leaf(', '    )leaf'],
  ...['  leaf(', '  )leaf'],
];

const MACHINES = {
  'x86-64': { skip: noCompiler, options: {}, flags: ['-O1', '-fpatchable-function-entry=5'] },
  arm64: { skip: withoutArm64, options: { platform: ARM64_PLATFORM }, flags: ['-O1', '-fpatchable-function-entry=2'] },
} as const;

for (const [name, { skip, options, flags }] of Object.entries(MACHINES)) {
  test(`${name}: native calls and those of JavaScript are one graph`, { skip }, (t) => {
    const compiled = compileTraced(t, program(GRAPH), flags, options);
    const only = (one: string): boolean => ['middle', 'leaf', 'left'].includes(one);
    const run = runTraced(compiled, { tracer: 'function_graph', javascript: 'script', threads: 2, only });
    assert.equal(
      run.output,
      ['bound 1, time goes on 1', 'open in leaf 2, afterwards 0', `unwound ${fgraph.UNWOUND} to 2`, 'later by 1', ''].join('\n'),
    );
    assert.deepEqual(run.records.map(graphOf), [['leaf(', ')leaf'], RECORDS]);
    const times = run.records[1]!.map(({ ts }) => ts);
    assert.deepEqual(
      times,
      [...times].sort((a, b) => a - b),
    );
    assert.deepEqual([run.open, run.dropped], [0, 0]);
  });

  test(`${name}: native calls go on when the thread's JavaScript has ended, and are not recorded when fentry's has`, {
    skip,
  }, (t) => {
    const compiled = compileTraced(t, program(END), flags, options);
    const only = (one: string): boolean => one === 'leaf';
    const run = runTraced(compiled, { tracer: 'function_graph', javascript: 'script', threads: 2, only });
    assert.equal(run.output, 'bound 1, time goes on 1\ntold 1, untouched 1\n');
    assert.deepEqual(run.records.map(graphOf), [['  leaf(', '  )leaf', 'leaf(', ')leaf']]);
    assert.deepEqual([run.open, run.dropped], [0, 0]);
  });

  test(`${name}: set_graph_function and set_graph_notrace of JavaScript hold for native calls`, { skip }, (t) => {
    const compiled = compileTraced(t, program(LIMITS), flags, options);
    const only = (one: string): boolean => ['middle', 'leaf'].includes(one);
    const run = runTraced(compiled, { tracer: 'function_graph', javascript: 'script', threads: 2, graphFunctions: [], only });
    assert.deepEqual(run.records.map(graphOf), [['middle(', '  leaf(', '  )leaf', '  leaf(', '  )leaf', ')middle']]);
  });
}
