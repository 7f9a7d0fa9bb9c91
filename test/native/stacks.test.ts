import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { BtAnswer, BtFrame } from '../../src/answers/bt/bt-answer.js';
import { threadIds, threadState } from '../../src/native/process/tasks.js';
import { Sandbox, until } from '../e2e/support/program.js';
import { ADDON_SOURCE, buildAddon } from './call-twice-addon.js';
import { noTracing, ready, textRefusal, traced } from './native-machine.js';

const CALL_LINE = 1 + ADDON_SOURCE.split('\n').findIndex((line) => line.includes('if (napi_call'));

/** At the first call \`inner\` waits for a child process, at the second it runs; a thread of the pool computes meanwhile. */
const PROGRAM = `
const addon = { exports: {} };
process.dlopen(addon, process.env.ADDON);
const { callTwice } = addon.exports;
let calls = 0;
function inner() {
  if (calls++ === 0) return require('node:child_process').spawnSync('sleep', ['500']).status;
  spins(201);
}
function spins(id) { for (;;) if (Date.now() === id) return; }
function turn(what) { return callTwice(inner); }
process.stdin.once('data', () => setTimeout(turn, 1, 'x'));
require('node:crypto').pbkdf2('a', 'b', 2 ** 31 - 1, 64, 'sha512', () => {});
console.log('ready');
`;

const named = (frames: readonly BtFrame[], ...names: readonly string[]): readonly string[] =>
  frames.map(({ name }) => name).filter((name) => names.includes(name));

describe('stacks of machine code', { skip: noTracing || textRefusal() }, () => {
  it('stand among calls of JavaScript where those called it, and it called them', async (t) => {
    const sandbox = new Sandbox(t);
    const { source, addon } = buildAddon(sandbox, '-g');
    const { pid, stdin } = await sandbox.start(PROGRAM, { FENTRY: 'native', ADDON: addon });
    const files = sandbox.client(pid);
    stdin!.write('go\n');
    const asked = async (state: string): Promise<BtAnswer> => {
      for (;;) {
        const answer = JSON.parse(await files.read('answers/bt.json')) as BtAnswer;
        if (answer.threads[0]!.state === state) return answer;
      }
    };
    const outer = ['turn', 'uv__run_timers', 'uv_run', 'main'];
    const blocked = await asked('blocked');
    const [main] = blocked.threads;
    const NAMES = ['uv_run', 'spawnSync', 'inner', 'call_twice', 'turn', 'uv__run_timers', 'main'];
    assert.deepEqual(named(main!.frames, ...NAMES).slice(0, 7), [
      ...['uv_run', 'spawnSync', 'spawnSync', 'inner', 'call_twice', ...outer.slice(0, 2)],
    ]);
    const call = main!.frames.find(({ name }) => name === 'call_twice')!;
    assert.deepEqual([call.isOwn, call.isNative, call.place], [true, true, { file: source, line: CALL_LINE, column: 0 }]);
    const computes = blocked.others!.filter(({ frames }) => named(frames, 'PKCS5_PBKDF2_HMAC').length > 0);
    assert.equal(computes.length, 1, 'the thread of the pool');
    assert.equal(computes[0]!.doing, 'runs');

    const [, child] = / (\d+) \(sleep 500\)$/.exec(main!.doing!)!;
    process.kill(Number(child), 'SIGKILL');
    const running = (await asked('running')).threads[0]!;
    assert.deepEqual(named(running.frames, 'spins', ...NAMES).slice(0, 5), [
      'spins',
      'inner',
      'call_twice',
      ...outer.slice(0, 2),
    ]);
    assert.deepEqual(running.frames.find(({ name }) => name === 'spins')!.arguments, [{ name: 'id', value: '201' }]);
    let stdout = '';
    const stoodStill = async (): Promise<boolean> => {
      ({ stdout } = await sandbox.fentry('bt'));
      return !stdout.includes('It went on while it was looked at');
    };
    await until(stoodStill, 'both ways of looking at the thread see the same calls');
    assert.match(stdout, / {2}spins\(id: 201\) {2}program.cjs:10\n {2}inner\(\) {2}program.cjs:8\n/);
    assert.match(
      stdout,
      new RegExp(` {2}call_twice {2}addon.c:${CALL_LINE}\\n(.*\\n)* {2}turn\\(what: "x"\\) {2}program.cjs:11\\n`),
    );
  });

  it('of a program that is followed have the callers, whose return addresses fentry keeps', async (t) => {
    const { files, program, sandbox } = await traced(
      t,
      `
#include <stdio.h>
#include <unistd.h>
#define FUNCTION __attribute__((noinline))
FUNCTION void leaf(void) { pause(); asm volatile(""); }
FUNCTION void deep(int n) {
  if (n > 0) deep(n - 1);
  else leaf();
  asm volatile("");
}
int main(void) { puts("ready"); fflush(stdout); getchar(); deep(2); }`,
      ['-g', '-O2', '-fno-omit-frame-pointer'],
    );
    await files.write('set_ftrace_filter', 'leaf deep');
    await files.append('set_ftrace_filter', 'leaf:stacktrace:1');
    await files.write('current_tracer', 'function_graph');
    program.child.stdin!.write('\n');
    await until(async () => (await files.read('trace')).includes('leaf()'), 'it is in leaf');
    const { others, threads } = JSON.parse(await files.read('answers/bt.json')) as BtAnswer;
    const own = others![0]!.frames.filter(({ isOwn }) => isOwn).map(({ name, place }) => `${name}:${place?.line}`);
    assert.deepEqual([threads, own.slice(0, 5)], [[], ['leaf:5', 'deep:8', 'deep:7', 'deep:7', 'main:11']]);
    await files.write('options/places', '1');
    const lines = [...(await files.read('trace')).matchAll(/^ => (\w+) \(\S*program\.c:(\d+)\)$/gm)];
    const called = lines.map(([, name, line]) => `${name}:${line}`).slice(-4);
    assert.deepEqual(called, ['deep:8', 'deep:7', 'deep:7', 'main:11'], 'the lines of the calls, not those of the functions');
    assert.deepEqual((await files.list('answers')).map(({ name }) => name).sort(), [
      ...['bt', 'bt.json', 'bt_locals', 'bt_locals.json'],
    ]);
    assert.match(
      (await sandbox.fentry('bt', String(program.pid))).stdout,
      /^thread 'program' \(\d+\): .*\n(.*\n)* {2}leaf {2}\S*program\.c:5\n/,
    );
  });

  it('are read of any program, which goes on when who reads them is killed', async (t) => {
    const program = await ready(
      t,
      `
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static void *waits(void *none) { for (;;) pause(); }
static volatile long count;
int main(void) {
  pthread_t thread;
  for (int i = 0; i < 20; i++) pthread_create(&thread, 0, waits, 0);
  puts("ready");
  fflush(stdout);
  for (;;) count++;
}`,
      ['-g'],
    );
    const { pid } = program;
    const states = (): string => [...new Set(threadIds(pid).map((tid) => threadState(pid, tid)))].sort().join('');
    for (const [signal, after] of [
      ['SIGKILL', 0],
      ['SIGKILL', 3],
      ['SIGSTOP', 1],
    ] as const) {
      const reader = spawn(process.execPath, ['dist/native-stacks.cjs', String(pid)], { stdio: ['pipe', 'pipe', 'inherit'] });
      await once(reader.stdout, 'data');
      reader.stdin.end('{"except":[]}');
      await new Promise((resolve) => setTimeout(resolve, after));
      reader.kill(signal);
      reader.kill('SIGKILL');
      await once(reader, 'close');
      await until(() => states() === 'RS', 'all threads are as before');
      assert.match(readFileSync(`/proc/${pid}/status`, 'latin1'), /^TracerPid:\t0$/m);
    }
    const { stdout } = await new Sandbox(t).fentry('bt', String(pid));
    assert.match(stdout, /^thread 'program' \(\d+\): runs\n {2}main {2}\S*program\.c:12\n/);
    assert.match(
      stdout,
      /\nthreads 'program' \((\d+, ){19}\d+\): sleeps in native code .*\n {2}pause .*\n {2}waits {2}\S*program\.c:5\n/,
    );
  });
});
