// What a hit of a native probe costs, in nanoseconds beyond the untraced call: at a function's entry, at a jump in its middle, at
// a breakpoint where no jump fits, and at its end, with registers, with memory of the stack and with memory that the system is
// asked for.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { noCompiler } from '../build/src/native/testing/programs.js';
import { CLI } from './lib/child.mjs';
import { median } from './lib/pairs.mjs';
import { TracefsClient } from './lib/tracefs-client.mjs';
import { cannot, verdict } from './lib/verdict.mjs';

const ROUNDS = 7;

/** For each line: the nanoseconds of a call and of reading the time stamp counter, the shortest of many pieces. */
const PROGRAM = `
#include <stdio.h>
#include <time.h>
#include <stdlib.h>
__attribute__((noinline)) long work(long *a, long *b, long c) {
  long r = *a;
  __asm__ volatile("movabs $0x1122334455, %%rax" : "+r"(r) : : "rax");
  return r + *b + c;
}
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1e9 + t.tv_nsec; }
int main(void) {
  long local = 1, *heap = malloc(sizeof *heap);
  *heap = 2;
  setbuf(stdout, 0);
  puts("ready");
  while (getchar() != EOF) {
    double best = 1e9, counter = 1e9;
    volatile long sum = 0;
    for (int piece = 0; piece < 200; piece++) {
      double start = now();
      for (int i = 0; i < 500; i++) sum += work(&local, heap, i);
      double ns = (now() - start) / 500;
      if (ns < best) best = ns;
      start = now();
      for (int n = 0; n < 500; n++) { unsigned low, high; __asm__ volatile("rdtsc" : "=a"(low), "=d"(high)); }
      ns = (now() - start) / 500;
      if (ns < counter) counter = ns;
    }
    printf("%f %f\\n", best, counter);
  }
}`;

/** Each with the line that defines it; MIDDLE is the place of the long instruction, LAST that of the last one. */
const WAYS = {
  untraced: undefined,
  'entry, three registers': 'p:probe work %di %si %dx',
  'jump, three registers': 'p:probe work+MIDDLE %di %si %dx',
  'breakpoint, three registers': 'p:probe work+LAST %di %si %dx',
  'return, $retval': 'r:probe work $retval',
  'entry, a word of the stack': 'p:probe work +0(%di)',
  'entry, a word of the heap': 'p:probe work +0(%si)',
  'entry, three registers, rejected': 'p:probe work %di %si %dx',
};
const TARGETS = { 'jump, three registers': 'at most 60', 'breakpoint, three registers': 'at most 5000' };

async function measure(folder) {
  const path = join(folder, 'program');
  writeFileSync(`${path}.c`, PROGRAM);
  execFileSync('gcc', ['-O2', '-fno-pie', '-no-pie', '-fpatchable-function-entry=5', '-o', path, `${path}.c`]);
  const child = spawn(path, { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    await costs(child, path);
  } finally {
    child.kill('SIGKILL');
  }
}

async function costs(child, path) {
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  while (!output.startsWith('ready\n')) await sleep(5);
  const ask = async () => {
    const before = output.length;
    child.stdin.write('\n');
    while (output.indexOf('\n', before) < 0) await sleep(5);
    const [call, rdtsc] = output.slice(before).trim().split(' ').map(Number);
    return { call, rdtsc };
  };
  const { stdout, stderr } = spawnSync(process.execPath, [CLI, 'attach', '--native', String(child.pid)], { encoding: 'utf8' });
  const [, socket] = /: (\/.*\.sock)/.exec(stdout) ?? [];
  if (socket === undefined) throw new Error(stderr);
  const files = new TracefsClient(socket);
  const [, start, middle, last] = /^([\da-f]+) <work>[\s\S]*?^ +([\da-f]+):\s+movabs[\s\S]*?^ +([\da-f]+):\s+ret/m.exec(
    execFileSync('objdump', ['-d', '--no-show-raw-insn', '--disassemble=work', path], { encoding: 'utf8' }),
  );
  const [atMiddle, atLast] = [middle, last].map((address) => Number.parseInt(address, 16) - Number.parseInt(start, 16));
  const found = Object.fromEntries(Object.keys(WAYS).map((name) => [name, []]));
  const counters = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, line] of Object.entries(WAYS)) {
      if (line !== undefined) {
        await files.write('kprobe_events', line.replace('MIDDLE', atMiddle).replace('LAST', atLast));
        if (name.endsWith('rejected')) await files.write('events/kprobes/probe/filter', 'arg3 == 12345678');
        await files.write('events/kprobes/probe/enable', '1');
      }
      const { call, rdtsc } = await ask();
      found[name].push(call);
      counters.push(rdtsc);
      if (line !== undefined) {
        await files.write('events/kprobes/probe/enable', '0');
        await files.write('kprobe_events', '');
      }
    }
  }
  const base = median(found.untraced);
  const rdtsc = median(counters);
  for (const name of Object.keys(WAYS).slice(1)) {
    verdict({
      name: `native probe: ${name}`,
      ratio: median(found[name]) - base,
      unit: ' ns',
      ...(TARGETS[name] && { target: TARGETS[name] }),
      detail: `a call is ${base.toFixed(1)} ns untraced; rdtsc ${rdtsc.toFixed(1)} ns`,
    });
  }
}

if (noCompiler !== false) cannot('native probes', noCompiler);
else {
  const folder = mkdtempSync(join(tmpdir(), 'fentry-bench-'));
  process.env.XDG_RUNTIME_DIR = folder;
  try {
    await measure(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
