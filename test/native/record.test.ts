import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, watch } from 'node:fs';
import { describe, it } from 'node:test';
import { compile, noTracing } from '../../src/native/testing/programs.js';
import { CLI, type Finished, finished, Sandbox, until } from '../e2e/support/program.js';
import { lacks } from './native-machine.js';

/** Calls `step` five times, says so, and goes on as its argument says. */
const PROGRAM = `
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
__attribute__((noinline)) int step(int x) { asm volatile(""); return x + 1; }
__attribute__((constructor)) static void early(void) { step(0); }
int main(int count, char **words) {
  int sum = 0;
  for (int i = 0; i < 5; i++) sum = step(sum);
  printf("%d\\n", sum);
  fflush(stdout);
  if (count > 1 && strcmp(words[1], "exec") == 0) execl("/bin/echo", "echo", "another program", (char *)0);
  if (count > 1 && strcmp(words[1], "abort") == 0) abort();
  if (count > 1 && strcmp(words[1], "wait") == 0) for (;;) pause();
  return 7;
}`;
const SITES = ['-fpatchable-function-entry=5'];

/** Threads that end, with calls of their own and of the C library. */
const THREADED = `
#include <pthread.h>
#include <stdio.h>
__attribute__((noipa)) long fib(long n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static void *run(void *sum) { *(long *)sum = fib(10); return sum; }
int main(void) {
  pthread_t threads[8];
  long sums[8], sum = 0;
  for (int i = 0; i < 8; i++) pthread_create(threads + i, 0, run, sums + i);
  for (int i = 0; i < 8; i++) { pthread_join(threads[i], 0); sum += sums[i]; }
  printf("sum %ld\\n", sum);
  return 5;
}`;

/** Calls of `fib`. */
const FIB_CALLS = 8 * 177;

/** Nothing sets the thread pointer. */
const BARE = `
#define NO __attribute__((noipa))
NO int step(int x) { return x + 1; }
NO void leave(int code) {
#ifdef __aarch64__
  register long x0 __asm__("x0") = code, x8 __asm__("x8") = 93;
  __asm__ volatile("svc 0" : : "r"(x0), "r"(x8));
#else
  __asm__ volatile("syscall" : : "a"(60L), "D"((long)code));
#endif
}
NO void begin(void) { leave(step(step(step(0)))); }
__asm__(".globl _start\\n_start: "
#ifdef __aarch64__
  "bl begin"
#else
  "call begin"
#endif
);`;

/** Five calls by main, and one before it. */
const CALLS = 6;

const RECORD = ['record', '--native', '-p', 'function', '-l', 'step', '--'] as const;

const recordedCalls = async (sandbox: Sandbox): Promise<readonly string[]> =>
  (await sandbox.fentry('report')).stdout.match(/program-\d+ .*: +step/g) ?? [];

describe('fentry record --native', { skip: noTracing }, () => {
  it('records a program from its entry point to its end, and ends as it does', async (t) => {
    const sandbox = new Sandbox(t);
    const program = compile(t, PROGRAM, SITES);
    const { code, stdout, stderr } = await sandbox.fentry(...RECORD, program);
    assert.deepEqual([code, stdout], [7, '5\n'], stderr);
    assert.match(stderr, /^fentry: 6 events, 0 lost/m);
    assert.equal((await recordedCalls(sandbox)).length, CALLS);
    const aborted = await sandbox.fentry(...RECORD, program, 'abort');
    assert.equal(aborted.code, 128 + 6);
    assert.ok(aborted.stderr.endsWith(`\nfentry: ${program} was ended by SIGABRT\n`), aborted.stderr);
    assert.equal((await recordedCalls(sandbox)).length, CALLS);
  });

  it('tells those who wait what it is doing, as long as it does', async (t) => {
    const sandbox = new Sandbox(t);
    const changed = new Set<string | null>();
    const watcher = watch(sandbox.sockets, (_event, name) => changed.add(name));
    t.after(() => watcher.close());
    const { code, stderr } = await sandbox.fentry(...RECORD, compile(t, PROGRAM, SITES));
    assert.equal(code, 7, stderr);
    const isTold = (name: string | null): boolean => /^\d+\.progress$/.test(name ?? '');
    await until(() => [...changed].some(isTold), 'it has told of functions that are not in the cache');
    await until(() => !readdirSync(sandbox.sockets).some(isTold), 'the file is gone');
  });

  it('records a static executable, which has no libraries', async (t) => {
    const sandbox = new Sandbox(t);
    const { code, stdout, stderr } = await sandbox.fentry(...RECORD, compile(t, PROGRAM, [...SITES, '-static']));
    assert.deepEqual([code, stdout], [7, '5\n'], stderr);
    assert.equal((await recordedCalls(sandbox)).length, CALLS);
  });

  for (const [form, compiler, options] of [
    ['glibc', 'gcc', ['-static']],
    ['glibc, position-independent', 'gcc', ['-static-pie']],
    ['glibc, -pg', 'gcc', ['-static', '-pg']],
    ['musl', 'musl-gcc', ['-static']],
  ] as const) {
    it(`records static executables with all that they call in their C library: ${form}`, { skip: lacks(compiler) }, async (t) => {
      const sandbox = new Sandbox(t);
      const program = compile(t, THREADED, ['-O2', '-fno-optimize-sibling-calls', '-pthread', ...options], compiler);
      const record = ['record', '--native', '-p', 'function_graph'];
      const all = await sandbox.fentry(...record, '--', program);
      assert.deepEqual([all.code, all.stdout], [5, 'sum 440\n'], all.stderr);
      const own = await sandbox.fentry(...record, '-l', 'fib', '--', program);
      assert.deepEqual([own.code, own.stdout], [5, 'sum 440\n'], own.stderr);
      assert.match(own.stderr, new RegExp(`^fentry: ${(2 * FIB_CALLS).toLocaleString('en')} events, 0 lost`, 'm'));
    });
  }

  it('records a program without a C library', { skip: lacks('gcc') }, async (t) => {
    const sandbox = new Sandbox(t);
    const program = compile(t, BARE, ['-O2', '-nostdlib', '-static', '-ffreestanding']);
    for (const [tracer, calls] of [
      ['function', 3],
      ['function_graph', 6],
    ] as const) {
      const { code, stderr } = await sandbox.fentry('record', '--native', '-p', tracer, '-l', 'step', '--', program);
      assert.equal(code, 3, stderr);
      assert.match(stderr, new RegExp(`^fentry: ${calls} events, 0 lost`, 'm'));
    }
  });

  it('keeps what was recorded before a program runs another one', async (t) => {
    const sandbox = new Sandbox(t);
    const { code, stdout } = await sandbox.fentry(...RECORD, compile(t, PROGRAM, SITES), 'exec');
    assert.deepEqual([code, stdout], [0, '5\nanother program\n']);
    assert.equal((await recordedCalls(sandbox)).length, CALLS);
  });

  it('records the entry point too, at which it holds the program', async (t) => {
    const sandbox = new Sandbox(t);
    const words = ['record', '--native', '-p', 'function', '-l', '_start', '-l', 'step', '--'];
    const { code, stderr } = await sandbox.fentry(...words, compile(t, PROGRAM, SITES));
    assert.equal(code, 7, stderr);
    assert.deepEqual(
      stderr.split('\n').filter((line) => !/ recording into | events, /.test(line)),
      [''],
    );
    assert.match((await sandbox.fentry('report')).stdout, /: +_start$/m);
  });

  it('gives a stripped program its arguments, which stand at its entry point where others have a return address', async (t) => {
    const sandbox = new Sandbox(t);
    const program = compile(t, 'int main(int count) { return count; }', ['-O2', '-s']);
    const { code, stderr } = await sandbox.fentry('record', '--native', '-p', 'function_graph', '--', program, 'a', 'b');
    assert.equal(code, 3, stderr);
  });

  it('names the largest buffer where the limits of a program leave no room, and does not run it then', async (t) => {
    const sandbox = new Sandbox(t);
    const record = (kb: number): Promise<Finished> => {
      const words = `ulimit -f 4000000; exec "$0" "$@" -b ${kb} -- ${compile(t, PROGRAM, SITES)}`;
      const args = [process.execPath, CLI, 'record', '--native', '-p', 'function', '-l', 'step'];
      return finished(spawn('bash', ['-c', words, ...args], { cwd: sandbox.folder, env: sandbox.env() }));
    };
    const refused = await record(65_536);
    assert.deepEqual([refused.code, refused.stdout], [1, '']);
    const most = Number(/buffer_size_kb: (\d+) KB at most: the limits of process \d+ .* \(ENOMEM\)/.exec(refused.stderr)?.[1]);
    assert.ok(most > 1024, refused.stderr);
    assert.deepEqual((await record(most)).code, 7);
  });

  it('passes signals on, and ends by the signal that ends the program', async (t) => {
    const sandbox = new Sandbox(t);
    const record = sandbox.spawnFentry(...RECORD, compile(t, PROGRAM, SITES), 'wait');
    await once(record.stdout!, 'data');
    const ended = finished(record);
    record.kill('SIGTERM');
    assert.equal((await ended).signal, 'SIGTERM');
    assert.equal((await recordedCalls(sandbox)).length, CALLS);
  });

  it('says why a command cannot be run or traced, and does not run it then', async (t) => {
    const sandbox = new Sandbox(t);
    const missing = await sandbox.fentry(...RECORD, 'no-such-command');
    assert.deepEqual([missing.code, missing.stderr], [127, 'fentry: no-such-command: command not found\n']);
    const text = sandbox.file('text', 'neither an executable nor a script\n');
    const refused = await sandbox.fentry(...RECORD, text);
    assert.deepEqual([refused.code, refused.stderr], [126, `fentry: ${text}: permission denied\n`]);
    chmodSync(text, 0o700);
    const noProgram = await sandbox.fentry(...RECORD, text);
    assert.deepEqual(
      [noProgram.code, noProgram.stderr],
      [126, `fentry: ${text}: no executable that this system runs, and no script that begins with #!\n`],
    );
    const filtered = await sandbox.fentry(
      'record',
      '--native',
      '-p',
      'function',
      '-l',
      'nothing_like_it',
      compile(t, PROGRAM, SITES),
    );
    assert.deepEqual([filtered.code, filtered.stdout], [1, '']);
    assert.match(filtered.stderr, /no function matches nothing_like_it/);
  });
});
