// What a traced call of native code costs, in nanoseconds and as ratios to what else records calls on the same machine: the same
// recursion, compiled by gcc, in turn with each.
import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileTraced, runTraced } from '../build/src/native/code/testing/traced-program.js';
import { noCompiler } from '../build/src/native/testing/programs.js';
import { median } from './lib/pairs.mjs';
import { cannot, verdict } from './lib/verdict.mjs';

const ROUNDS = 7;

/** Prints the nanoseconds of a call, and of reading the time stamp counter. */
const PROGRAM = `
#include <stdio.h>
#include <time.h>
#define NO __attribute__((no_instrument_function, patchable_function_entry(0)))
static long calls;
__attribute__((noinline)) int fib(int n) {
  calls++;
  int r = n < 2 ? n : fib(n - 1) + fib(n - 2);
  __asm__ volatile("" : "+r"(r));
  return r;
}
NO static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1e9 + t.tv_nsec; }
int main(void) {
  fib(20);
  double best = 1e9, counter = 1e9;
  /* Short pieces, of which the shortest counts: on a busy machine a long one is interrupted. */
  for (int i = 0; i < 100; i++) {
    calls = 0;
    double start = now();
    fib(16);
    double ns = (now() - start) / calls;
    if (ns < best) best = ns;
    start = now();
    for (int n = 0; n < 2000; n++) { unsigned low, high; __asm__ volatile("rdtsc" : "=a"(low), "=d"(high)); }
    ns = (now() - start) / 2000;
    if (ns < counter) counter = ns;
  }
  printf("%f %f\\n", best, counter);
  return 0;
}
`;

/** What -finstrument-functions calls: a record with the function and the time stamp counter, in a ring of the thread's own. */
const LOGGER = `
#include <stdint.h>
#define NO __attribute__((no_instrument_function))
struct record { uint64_t time; void *function; uint64_t kind; };
static _Thread_local struct record ring[1 << 15];
static _Thread_local unsigned at;
NO static inline void put(void *function, int kind) {
  unsigned low, high;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  struct record *record = &ring[at++ & ((1 << 15) - 1)];
  record->time = (uint64_t)high << 32 | low;
  record->function = function;
  record->kind = kind;
}
NO void __cyg_profile_func_enter(void *function, void *site) { (void)site; put(function, 0); }
NO void __cyg_profile_func_exit(void *function, void *site) { (void)site; put(function, 1); }
`;

/** Nanoseconds of a call, and of rdtsc. */
const costOf = (output) => {
  const [call = Number.NaN, rdtsc = Number.NaN] = output.trim().split('\n').at(-1).split(' ').map(Number);
  return { call, rdtsc };
};

const undo = [];
const cleanup = { after: (run) => void undo.push(run) };

/** Compiles the program in another way, in the folder of the first one. */
function compileOther({ folder }, name, ...options) {
  const path = join(folder, name);
  execFileSync('gcc', ['-O2', ...options, '-o', path, join(folder, 'program.c')], { cwd: folder });
  return path;
}

const run = (path, ...args) => execFileSync(path, args, { encoding: 'utf8' });

function measure() {
  const sites = compileTraced(cleanup, PROGRAM, ['-O2', '-fpatchable-function-entry=5']);
  const only = (name) => name === 'fib';
  const plain = compileOther(sites, 'plain');
  writeFileSync(join(sites.folder, 'logger.c'), LOGGER);
  const logging = compileOther(sites, 'logging', '-finstrument-functions', 'logger.c');
  const forUftrace = compileOther(sites, 'for-uftrace', '-pg');
  const hasUftrace = spawnSync('uftrace', ['--version']).status === 0;
  const data = join(sites.folder, 'uftrace.data');
  const ways = {
    plain: () => costOf(run(plain)),
    idle: () => costOf(run(sites.path)),
    function: () => costOf(runTraced(sites, { tracer: 'function', only, threads: 2 }).output),
    function_graph: () => costOf(runTraced(sites, { tracer: 'function_graph', only, threads: 2 }).output),
    logging: () => costOf(run(logging)),
    ...(hasUftrace && {
      uftrace: () => {
        rmSync(data, { recursive: true, force: true });
        return costOf(run('uftrace', 'record', '-d', data, '--no-libcall', '--no-event', '--no-pager', '-F', 'fib', forUftrace));
      },
    }),
  };
  const costs = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) for (const [name, way] of Object.entries(ways)) costs[name].push(way());
  const call = (name) => median(costs[name].map((cost) => cost.call));
  const rdtsc = median(
    Object.values(costs)
      .flat()
      .map((cost) => cost.rdtsc),
  );
  const base = call('plain');
  const added = (name) => call(name) - base;
  const ratio = (a, b) => median(costs[a].map((cost, i) => (cost.call - base) / (costs[b][i].call - base)));
  const ns = (value) => `${value.toFixed(1)} ns`;
  const of = (name) => `a call is ${ns(call('plain'))} untraced, ${ns(call(name))} so; rdtsc ${ns(rdtsc)}`;

  verdict({
    name: 'native: idle site',
    ratio: median(costs['idle'].map((cost, i) => cost.call / costs['plain'][i].call)),
    target: 'at most 1.15',
    detail: of('idle'),
  });
  verdict({
    name: 'native: function event',
    ratio: added('function') - rdtsc,
    unit: ' ns',
    target: 'at most 10 beyond rdtsc',
    detail: of('function'),
  });
  verdict({ name: 'native: function_graph call', ratio: added('function_graph'), unit: ' ns', detail: of('function_graph') });
  verdict({
    name: 'native: function_graph / logger',
    ratio: ratio('function_graph', 'logging'),
    target: 'at most 1.7',
    detail: `-finstrument-functions that stores rdtsc adds ${ns(added('logging'))} a call`,
  });
  if (hasUftrace) {
    verdict({
      name: 'native: function_graph / uftrace',
      ratio: ratio('function_graph', 'uftrace'),
      target: 'at most 0.5',
      detail: `uftrace record adds ${ns(added('uftrace'))} a call`,
    });
  } else cannot('native: function_graph / uftrace', 'uftrace is not installed');
}

if (noCompiler !== false) cannot('native', noCompiler);
else {
  try {
    measure();
  } finally {
    for (const one of undo) one();
  }
}
