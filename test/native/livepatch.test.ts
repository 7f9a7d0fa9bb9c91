import assert from 'node:assert/strict';
import { renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { compile, testFolder } from '../../src/native/testing/programs.js';
import { until } from '../e2e/support/program.js';
import { attach, hostOf, type NativeMachine, noTracing, ready, textOf } from './native-machine.js';

/**
 * Eight threads ask `price` again and again, and count when a fixed answer is followed by a wrong one. `price` prints an answer;
 * `mixed` the count; `hold` has another thread wait in `slow`, and `go` lets it leave.
 */
const SERVER = `
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static volatile int held, inside;
static volatile long mixed, left;
static __thread long sum;
static __thread int waits;
__attribute__((noinline)) long price(long n) { asm volatile("" ::: "memory"); sum += n; return n * 2; }
__attribute__((noinline)) long slow(long n) {
  if (waits) inside = 1;
  while (held && waits) usleep(1000);
  asm volatile("" ::: "memory");
  return price(n) + 1;
}
static void *worker(void *none) {
  long last = 0;
  for (;;) {
    long now = price(7);
    if (now < last) mixed++;
    last = now;
    usleep(200);
  }
}
/* Waits by itself: where return addresses are in a register, its own is nowhere else. */
#ifndef WAIT
#define WAIT leaf
#endif
static char byte;
static int ends[2];
static volatile int asks;
__attribute__((noinline)) long leaf(long from, void *to, long bytes) {
#ifdef __aarch64__
  register long nr asm("x8") = 63, x0 asm("x0") = from;
  register void *x1 asm("x1") = to;
  register long x2 asm("x2") = bytes;
  asm volatile("svc 0" : "+r"(x0) : "r"(nr), "r"(x1), "r"(x2) : "memory");
  return x0;
#else
  long result;
  asm volatile("syscall" : "=a"(result) : "0"(0L), "D"(from), "S"(to), "d"(bytes) : "rcx", "r11", "memory");
  return result;
#endif
}
__attribute__((noinline)) long framed(long from, void *to, long bytes) {
  bytes = leaf(from, to, bytes);
  asm volatile("" ::: "memory");
  return bytes;
}
__attribute__((noinline)) long reads(long n) {
  asks = 1;
  n += WAIT(ends[0], &byte, 1);
  asm volatile("" ::: "memory");
  return n;
}
static void *reader(void *none) { return (void *)reads(10); }
static void *waiter(void *none) { waits = 1; left = slow(7); inside = 0; return 0; }
int main(void) {
  pthread_t thread;
  // The others are busy all the time where the machine is slow.
  nice(10);
  if (pipe(ends) != 0) return 1;
  for (int i = 0; i < 8; i++) pthread_create(&thread, 0, worker, 0);
  setbuf(stdout, 0);
  puts("ready");
  char line[64];
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\\n")] = 0;
    if (!strcmp(line, "price")) printf("%ld\\n", price(7));
    else if (!strcmp(line, "mixed")) { printf("%ld\\n", mixed); mixed = 0; }
    else if (!strcmp(line, "hold")) {
      held = 1;
      pthread_create(&thread, 0, waiter, 0);
      while (!inside) usleep(1000);
      puts("held");
    } else if (!strcmp(line, "go")) {
      held = 0;
      while (inside) usleep(1000);
      printf("%ld\\n", left);
    } else if (!strcmp(line, "read")) {
      pthread_create(&thread, 0, reader, 0);
      while (!asks) usleep(1000);
      puts("reads");
    } else if (!strcmp(line, "write")) {
      void *result;
      if (write(ends[1], "", 1) != 1) return 1;
      pthread_join(thread, &result);
      printf("%ld\\n", (long)result);
    } else if (!strcmp(line, "slow")) printf("%ld\\n", slow(7));
  }
}`;
const FIX = `
static long times(long n) { return n * 3; }
long price(long n) { return times(n); }`;
const SLOW = 'long slow(long n) { return 100 + n; }';
const READS = 'long reads(long n) { return n; }';
const SIGNED = ['-mbranch-protection=standard'];
const FORMS: Readonly<Record<string, readonly string[]>> = {
  'sites of NOPs': ['-fpatchable-function-entry=5'],
  'no sites': [],
  ...(process.arch === 'arm64' && { 'no sites, and signed return addresses': SIGNED }),
};
/** Where the address is to which a thread that waits will return. */
const RETURN_ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  ...(process.arch === 'arm64' && { 'in a register': [], 'signed, in a frame': [...SIGNED, '-DWAIT=framed'] }),
  ...(process.arch === 'x64' && { 'on the stack': [] }),
};
const PLACES = ['-fno-pie', '-no-pie'];

/** A shared object of this source, with a name. */
function sharedObject(t: Parameters<typeof compile>[0], name: string, source: string): string {
  const built = compile(t, source, ['-shared', '-fPIC']);
  const path = join(dirname(built), name);
  renameSync(built, path);
  return path;
}

const settled = ({ files }: NativeMachine, name: string): Promise<void> =>
  until(async () => (await files.read(`livepatch/${name}/transition`)) === '0\n', `the transition of ${name} is over`);

/** The names of the patches. */
const listed = async ({ files }: NativeMachine): Promise<readonly string[]> =>
  (await files.list('livepatch')).map(({ name }) => name).filter((name) => !['follow', 'load', 'prepare'].includes(name));

const gone = (machine: NativeMachine, name: string): Promise<void> =>
  until(async () => !(await listed(machine)).includes(name), `${name} is undone`);

describe('live patches of native functions', { skip: noTracing }, () => {
  for (const [form, options] of Object.entries(FORMS)) {
    it(`fix a server under load, and are undone, with ${form}`, async (t) => {
      const program = await ready(t, SERVER, [...PLACES, ...options]);
      const machine = await attach(t, program);
      const { files, ask, sandbox, pid } = machine;
      await files.write('buffer_size_kb', '16');
      // What was several NOPs is one when it has been patched once.
      await files.write('set_ftrace_filter', 'price');
      await files.write('current_tracer', 'function');
      await files.write('current_tracer', 'nop');
      const idle = textOf(pid);
      const fix = sharedObject(t, 'fix-price.so', FIX);
      assert.equal(await ask('price'), '14');
      const { stdout, stderr } = await sandbox.fentry('livepatch', '--pid', String(pid), fix);
      // On a slow machine the command may see one of the host's stops.
      assert.equal(stderr.replace(/^fentry: process \d+ is stopped \(SIGSTOP\).*\n/, ''), '');
      assert.equal(stdout, 'fix-price: enabled\n  vmlinux/price,1\n');
      assert.equal(await ask('price'), '21');
      assert.equal(await ask('mixed'), '0');
      assert.match(await files.read('enabled_functions'), /^price \(1\) R I/m);
      // Tracers and probes see it as before.
      await files.write('kprobe_events', 'r:answered price ret=$retval:s64');
      await files.write('events/kprobes/answered/enable', '1');
      await files.write('current_tracer', 'function_graph');
      assert.equal(await ask('price'), '21');
      await until(async () => /price\(\)[\s\S]*ret=21/.test(await files.read('trace')), 'calls and their results are traced');
      assert.doesNotMatch(await files.read('trace'), /ret=14/);
      await files.write('current_tracer', 'nop');
      await files.write('events/kprobes/answered/enable', '0');
      await files.write('kprobe_events', '');
      assert.equal(await ask('price'), '21');
      await sandbox.fentry('livepatch', '--pid', String(pid), '--undo', 'fix-price');
      await gone(machine, 'fix-price');
      assert.equal(await ask('price'), '14');
      assert.equal(textOf(pid), idle);
      assert.equal(await files.read('enabled_functions'), '');
    });
  }

  it('take each thread over when it has left the old code, or by force', async (t) => {
    const machine = await attach(t, await ready(t, SERVER, PLACES));
    const { files, ask, sandbox, pid } = machine;
    const both = sharedObject(t, 'both.so', `${FIX}\n${SLOW}`);
    assert.equal(await ask('hold'), 'held');
    await files.write('livepatch/load', `both ${both}`);
    assert.equal(await files.read('livepatch/both/transition'), '1\n');
    assert.equal(await files.read('livepatch/both/enabled'), '1\n');
    // Other threads have gone over; what the one that has not calls is old code too: 7 * 2 + 1.
    await until(async () => (await ask('slow')) === '107', 'the main thread runs the new code');
    assert.equal(await ask('go'), '15');
    await settled(machine, 'both');
    assert.equal(await ask('slow'), '107');
    await assert.rejects(files.write('livepatch/load', `other ${sharedObject(t, 'other.so', SLOW)}`), { errno: 'EBUSY' });
    await files.write('livepatch/both/enabled', '0');
    await gone(machine, 'both');
    // A transition that is turned round is over at once for what has not gone over.
    assert.equal(await ask('hold'), 'held');
    await files.write('livepatch/load', `again ${both}`);
    assert.equal(await files.read('livepatch/again/transition'), '1\n');
    await files.write('livepatch/again/enabled', '0');
    await gone(machine, 'again');
    assert.equal(await ask('slow'), '15');
    await files.write('livepatch/load', `forced ${both}`);
    await files.write('livepatch/forced/force', '1');
    await settled(machine, 'forced');
    // Old and new code are mixed: 7 * 3 + 1.
    assert.equal(await ask('go'), '22');
    assert.equal(await ask('slow'), '107');
    await sandbox.fentry('detach', String(pid));
    assert.equal(await ask('slow'), '15');
  });

  for (const [where, options] of Object.entries(RETURN_ADDRESSES)) {
    it(`take a thread over when it has returned to old code, whose address is ${where}`, async (t) => {
      const machine = await attach(t, await ready(t, SERVER, [...PLACES, ...options]));
      const { files, ask } = machine;
      assert.equal(await ask('read'), 'reads');
      await files.write('livepatch/load', `both ${sharedObject(t, 'both.so', `${FIX}\n${READS}`)}`);
      await until(async () => (await ask('price')) === '21', 'the main thread runs the new code');
      assert.equal(await files.read('livepatch/both/transition'), '1\n');
      assert.equal(await ask('write'), '11');
      await settled(machine, 'both');
      assert.equal(await files.read('livepatch/both/enabled'), '1\n');
    });
  }

  it('stay when the host is killed, and go with the next attach', async (t) => {
    const program = await ready(t, SERVER, PLACES);
    const { files, ask, sandbox, pid } = await attach(t, program);
    await files.write('livepatch/load', `fix ${sharedObject(t, 'fix.so', FIX)}`);
    await until(async () => (await files.read('livepatch/fix/transition')) === '0\n', 'the transition is over');
    process.kill(hostOf(pid), 'SIGKILL');
    assert.equal(await ask('price'), '21');
    const next = await attach(t, program, sandbox);
    assert.equal(await next.ask('price'), '14');
    assert.deepEqual(await listed(next), []);
  });

  it('are refused with the reason', async (t) => {
    const { files } = await attach(t, await ready(t, SERVER, PLACES));
    const refused = (path: string): Promise<void> => files.write('livepatch/load', `bad ${path}`);
    await assert.rejects(refused(sharedObject(t, 'nosuch.so', 'long nosuch(void) { return 1; }')), {
      errno: 'EINVAL',
      message: /no function of the program is called nosuch/,
    });
    await assert.rejects(refused(sharedObject(t, 'missing.so', 'long lost(void); long price(long n) { return lost(); }')), {
      errno: 'EINVAL',
      message: /undefined symbol: lost/,
    });
    await assert.rejects(refused('/bin/sh'), { errno: 'EINVAL', message: /cannot dynamically load|is no shared object/ });
    const noObject = join(testFolder(t), 'no-object.txt');
    writeFileSync(noObject, 'words');
    await assert.rejects(refused(noObject), { errno: 'EINVAL', message: /no-object/ });
    await assert.rejects(refused('/nowhere.so'), { errno: 'ENOENT' });
    assert.equal(await files.read('enabled_functions'), '');
  });
});
