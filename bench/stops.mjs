// How long a native process stands still when sites are armed and disarmed, and how often it is stopped for that, as its own
// threads see it; and how long `fentry attach --native` takes for an executable of 100 MB, Node itself, until the tracing
// directory answers. Then how long redis-server and git take (lib/stops-of-programs.mjs).
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { noCompiler } from '../build/src/native/testing/programs.js';
import { median } from './lib/pairs.mjs';
import { gitRow, redisRows } from './lib/stops-of-programs.mjs';
import { TracefsClient } from './lib/tracefs-client.mjs';
import { cannot, verdict } from './lib/verdict.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 7);
const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'fentry-bench-'));
// Certificates that every Node reads when it starts are none of what is measured.
const { NODE_EXTRA_CA_CERTS: _certificates, NODE_OPTIONS: _options, ...own } = process.env;
const env = { ...own, FENTRY_DIR: join(folder, 'run') };

const COUNTS = [1, 10, 100, 1000];
/**
 * A program that says of a thread that looks at the clock all the time: the longest time between two looks, without and with what
 * it waited for a processor, which the kernel counts, and how often the process was continued.
 */
const PROGRAM = `
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#define NO __attribute__((patchable_function_entry(0)))
${Array.from({ length: Math.max(...COUNTS) }, (_, n) => `__attribute__((noinline)) int f${n}(void) { __asm__(""); return ${n}; }`).join('\n')}
static volatile int continued;
static volatile long longest, elapsed;
NO static void hear(int signal) { (void)signal; continued++; }
NO static long now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000000L + t.tv_nsec; }
/* The nanoseconds in which this thread could run and had no processor: the second number of the file. */
NO static long waited(int file) {
  char text[64] = "", *rest;
  pread(file, text, sizeof text - 1, 0);
  strtol(text, &rest, 10);
  return strtol(rest, 0, 10);
}
NO static void *look(void *unused) {
  (void)unused;
  int file = open("/proc/thread-self/schedstat", O_RDONLY);
  long waits = waited(file);
  for (long before = now(), after;; before = after) {
    after = now();
    if (after - before < 5000) continue;
    long later = waited(file), stop = after - before - (later - waits);
    waits = later;
    if (stop > longest) longest = stop;
    if (after - before > elapsed) elapsed = after - before;
    after = now();
  }
}
NO int main(void) {
  pthread_t thread;
  signal(SIGCONT, hear);
  setvbuf(stdout, 0, _IONBF, 0);
  pthread_create(&thread, 0, look, 0);
  /* The other thread looks first. */
  for (int c; (c = getchar()) != EOF;) { usleep(5000); printf("%d %ld %ld\\n", continued, longest, elapsed); continued = 0; longest = elapsed = 0; }
  return 0;
}`;

const run = promisify(execFile);
const fentry = (args, more = {}) => run(process.execPath, [CLI, ...args], { env: { ...env, ...more } });
const client = (pid) => new TracefsClient(join(env.FENTRY_DIR, `${pid}.sock`));

async function stops() {
  writeFileSync(join(folder, 'program.c'), PROGRAM);
  execFileSync('gcc', ['-O1', '-pthread', '-fpatchable-function-entry=5', '-o', 'program', 'program.c'], { cwd: folder });
  const child = spawn(join(folder, 'program'), { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const seen = async () => {
      child.stdin.write('.');
      const [continued, ns, elapsed] = (await lines.next()).value.split(' ').map(Number);
      return { continued, ms: ns / 1e6, elapsed: elapsed / 1e6 };
    };
    await seen();
    await fentry(['attach', '--native', String(child.pid)]);
    const files = client(child.pid);
    /** What a change makes of it. */
    const during = async (change) => {
      await seen();
      await change();
      return seen();
    };
    for (const tracer of ['function', 'function_graph']) {
      for (const count of COUNTS) {
        await files.write('set_ftrace_filter', Array.from({ length: count }, (_, n) => `f${n}`).join(' '));
        const changes = [];
        for (let round = 0; round < ROUNDS; round++) {
          changes.push(await during(() => files.write('current_tracer', tracer)));
          changes.push(await during(() => files.write('current_tracer', 'nop')));
        }
        const ms = changes.map((change) => change.ms);
        const elapsed = changes.map((change) => change.elapsed);
        const most = Math.max(...changes.map(({ continued }) => continued));
        verdict({
          name: `stops: ${tracer}, ${count} function${count === 1 ? '' : 's'}`,
          ratio: median(ms),
          unit: ' ms',
          target: `one stop, ${(1 + 0.02 * count).toFixed(2)} ms`,
          detail: `stopped at most ${most} times a change, ${Math.min(...ms).toFixed(2)} to ${Math.max(...ms).toFixed(2)} ms in ${ms.length} changes; with waits for a processor ${median(elapsed).toFixed(2)}, at most ${Math.max(...elapsed).toFixed(2)}`,
        });
      }
    }
  } finally {
    child.kill('SIGKILL');
  }
}

/**
 * Attaches to a sleeping Node: the milliseconds of the command, until a file is read, and from there until a function is traced,
 * for which all are found.
 */
async function attachOnce(child, cache) {
  const began = performance.now();
  await fentry(['attach', '--native', String(child.pid)], { FENTRY_CACHE: cache });
  const command = performance.now() - began;
  await client(child.pid).read('current_tracer');
  const answered = performance.now() - began;
  await client(child.pid).write('set_ftrace_filter', 'uv_run');
  await client(child.pid).write('current_tracer', 'function');
  const first = performance.now() - began - answered;
  return { command, answered, first };
}

async function attach() {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000); console.log(1)'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    await once(child.stdout, 'data');
    const size = `${(statSync(process.execPath).size / 1e6).toFixed(0)} MB`;
    const measured = { 'empty cache': [], 'warm cache': [] };
    const warm = join(folder, 'warm');
    for (let round = -1; round < ROUNDS; round++) {
      for (const [name, cache] of [
        ['empty cache', join(folder, `cold${round}`)],
        ['warm cache', warm],
      ]) {
        const times = await attachOnce(child, cache);
        // The host stores what the next one finds.
        if (round < 0) await sleep(2000);
        else measured[name].push(times);
        await fentry(['detach', String(child.pid)]);
        await sleep(300);
      }
    }
    const node = [];
    for (let round = 0; round < ROUNDS; round++) {
      const began = performance.now();
      await run(process.execPath, ['-e', '0'], { env });
      node.push(performance.now() - began);
    }
    for (const [name, times] of Object.entries(measured)) {
      const first = times.map((one) => one.first);
      const answered = times.map((one) => one.answered);
      verdict({
        name: `attach to ${size}, ${name}`,
        ratio: median(answered),
        unit: ' ms',
        target: 'at most 300',
        detail: `${Math.min(...answered).toFixed(0)} to ${Math.max(...answered).toFixed(0)} in ${answered.length}; the command ${median(times.map(({ command }) => command)).toFixed(0)} ms, a Node that does nothing ${median(node).toFixed(0)} ms`,
      });
      verdict({
        name: `then a first function, ${name}`,
        ratio: median(first),
        unit: ' ms',
        detail: `${Math.min(...first).toFixed(0)} to ${Math.max(...first).toFixed(0)} in ${first.length}: all functions are found, one is traced`,
      });
    }
  } finally {
    child.kill('SIGKILL');
  }
}

try {
  if (noCompiler !== false) cannot('stops', noCompiler);
  else await stops();
  await attach();
  const programs = { fentry, folder, env, rounds: ROUNDS };
  await redisRows(programs);
  await gitRow(programs);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
