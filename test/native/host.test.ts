import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { processMaps } from '../../src/native/process/process-maps.js';
import { ProcessMemory } from '../../src/native/process/process-memory.js';
import { StackWords } from '../../src/native/process/stack-words.js';
import { whileStopped } from '../../src/native/process/stop.js';
import { finished, Sandbox, until } from '../e2e/support/program.js';
import { asked, attach, hostOf, lacks, noTracing, ready, recorded, textOf, traced } from './native-machine.js';

/** For each line: calls `step` a hundred times; with `fork`, a child does so too, which prints the sum. */
const STEPS = `
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) int step(int x) { asm volatile(""); return x + 1; }
static int steps(void) {
  int sum = 0;
  for (int i = 0; i < 100; i++) sum = step(sum);
  return sum;
}
int main(void) {
  setbuf(stdout, 0);
  puts("ready");
  char line[16];
  while (fgets(line, sizeof line, stdin)) {
    if (strcmp(line, "fork\\n") == 0) {
      pid_t child = fork();
      if (child == 0) { printf("%d\\n", steps()); _exit(0); }
      waitpid(child, 0, 0);
    } else printf("%d\\n", steps());
  }
}`;
const OPTIONS = ['-O2', '-fpatchable-function-entry=5'];

/** The steps, but the child that is forked for `leave` goes on in its place. */
const LEAVES = STEPS.replace(
  'if (strcmp',
  'if (strcmp(line, "leave\\n") == 0) { if (fork()) pause(); else printf("%d\\n", getpid()); } else if (strcmp',
);

/**
 * Calls itself 20 times, each time through a function that ends in a jump, says so at the bottom, and goes on with the next line.
 */
const DEEP = `
#include <stdio.h>
__attribute__((noinline)) int leaf(void) { puts("down"); while (getchar() != '\\n'); asm volatile(""); return 0; }
int deeper(int depth);
__attribute__((noinline)) int way(int depth) { asm volatile(""); return deeper(depth); }
__attribute__((noinline)) int deeper(int depth) {
  int sum = depth == 0 ? leaf() : way(depth - 1) + 1;
  asm volatile("");
  return sum;
}
int main(void) {
  setbuf(stdout, 0);
  puts("ready");
  for (int c; (c = getchar()) != EOF;) if (c == '\\n') printf("sum %d\\n", deeper(20));
}`;

/** What stands on a process's stacks and lies in code that fentry has put there: return addresses, of calls that are followed. */
function addressesOfCode(pid: number): readonly string[] {
  const memory = new ProcessMemory(pid);
  try {
    const code = processMaps(pid).filter(({ path, permissions }) => path === '' && permissions === 'r-xp');
    assert.ok(code.length > 0);
    return whileStopped(pid, ({ threads }) =>
      code
        .filter((range) => new StackWords(memory, threads, range).hasBetween(range.start, range.end))
        .map(({ start }) => start.toString(16)),
    );
  } finally {
    memory.close();
  }
}

/** Throws through 20 frames and once more on the way. */
const THROWS = `
#include <cstdio>
#include <stdexcept>
__attribute__((noinline)) int deeper(int depth) {
  if (depth == 0) throw std::runtime_error("caught at last");
  int result = deeper(depth - 1);
  asm volatile("");
  return result;
}
__attribute__((noinline)) int again() { try { return deeper(20); } catch (...) { asm volatile(""); throw; } }
int main() {
  setbuf(stdout, 0);
  puts("ready");
  while (getchar() != EOF) try { again(); } catch (const std::exception &error) { puts(error.what()); }
}`;

const traceOf = async (files: { read(path: string): Promise<string> }): Promise<number> =>
  ((await files.read('trace')).match(/: step <-/g) ?? []).length;

describe('the host of a native program', { skip: noTracing }, () => {
  it('may be killed: the program goes on', async (t) => {
    const { pid, files, ask, program } = await traced(t, STEPS, OPTIONS);
    await files.write('buffer_size_kb', '8');
    await files.write('current_tracer', 'function_graph');
    assert.equal(await ask(), '100');
    process.kill(hostOf(pid), 'SIGKILL');
    for (let i = 0; i < 50; i++) assert.equal(await ask(), '100');
    assert.equal(program.child.exitCode, null);
  });

  it('may be killed while calls are open: another one takes its sites over', async (t) => {
    const { pid, files, ask, program, sandbox } = await traced(t, DEEP, OPTIONS);
    await files.write('set_ftrace_filter', 'deeper leaf');
    await files.write('current_tracer', 'function_graph');
    const before = textOf(pid);
    assert.equal(await ask('down'), 'down');
    process.kill(hostOf(pid), 'SIGKILL');
    await until(() => Number.isNaN(hostOf(pid)), 'the host has ended');
    const again = await attach(t, program, sandbox);
    assert.notEqual(textOf(pid), before);
    await again.files.write('set_ftrace_filter', 'deeper leaf');
    await again.files.write('current_tracer', 'function_graph');
    // The calls that the first host has followed return to their callers.
    assert.equal(await ask('up'), 'sum 20');
    assert.doesNotMatch(await again.files.read('error_log'), /deeper|leaf/);
    await again.files.write('trace', '');
    assert.equal(await ask('down'), 'down');
    assert.equal(await ask('up'), 'sum 20');
    assert.equal((await again.files.read('trace')).match(/deeper\(\) \{/g)?.length, 21);
  });

  it('leaves functions in mid-recursion, 60 times, and the program then', async (t) => {
    const program = await ready(t, DEEP, OPTIONS);
    const compiled = textOf(program.pid);
    const { pid, files, ask, sandbox } = await attach(t, program);
    const idle = textOf(pid);
    await files.write('set_ftrace_filter', 'deeper way leaf');
    for (let i = 0; i < 60; i++) {
      await files.write('current_tracer', 'function_graph');
      assert.equal(await ask('down'), 'down');
      await files.write('current_tracer', 'nop');
      assert.equal(textOf(pid), idle);
      assert.equal(await ask('up'), 'sum 20');
    }
    await files.write('current_tracer', 'function_graph');
    assert.equal(await ask('down'), 'down');
    assert.notDeepEqual(addressesOfCode(pid), []);
    assert.equal((await sandbox.fentry('detach', String(pid))).code, 0);
    assert.equal(textOf(pid), compiled);
    assert.deepEqual(addressesOfCode(pid), []);
    assert.equal(await ask('up'), 'sum 20');
  });

  it('records nothing of a forked child, which does what it does', async (t) => {
    const { files, ask } = await traced(t, STEPS, OPTIONS);
    await files.write('set_ftrace_filter', 'step');
    await files.write('current_tracer', 'function');
    assert.equal(await ask('fork'), '100');
    assert.equal(await traceOf(files), 0);
    assert.equal(await ask(), '100');
    assert.equal(await traceOf(files), 100);
  });

  it('is one of its own for a forked child, whose text it takes over', async (t) => {
    const { pid, files, ask, sandbox, program } = await traced(t, LEAVES, OPTIONS);
    await files.write('set_ftrace_filter', 'step');
    await files.write('current_tracer', 'function_graph');
    const child = Number(await ask('leave'));
    t.after(() => process.kill(child, 'SIGKILL'));
    assert.equal((await sandbox.fentry('attach', '--native', String(child))).stderr, '');
    const own = sandbox.client(child);
    await own.write('set_ftrace_filter', 'step');
    await own.write('current_tracer', 'function');
    assert.equal(await asked(program, ''), '100');
    assert.equal(await traceOf(own), 100);
    assert.equal(await recorded(files), 0);
    assert.equal((await sandbox.fentry('detach', String(child))).stderr, '');
    assert.equal(await asked(program, ''), '100');
    assert.notEqual(textOf(pid), textOf(child));
  });

  it('lets exceptions pass through calls that function_graph follows', { skip: lacks('g++') }, async (t) => {
    const { files, ask } = await traced(t, THROWS, OPTIONS, 'g++');
    await files.write('current_tracer', 'function_graph');
    for (let i = 0; i < 10; i++) assert.equal(await ask(), 'caught at last');
    assert.match(await files.read('trace'), /deeper/);
  });

  it('attaches once, and again after it was detached', async (t) => {
    const sandbox = new Sandbox(t);
    const program = await ready(t, STEPS, OPTIONS);
    const { pid, ask } = await attach(t, program, sandbox);
    const again = await sandbox.fentry('attach', '--native', String(pid));
    assert.equal(again.stdout, `fentry is already in process ${pid}\n`);
    assert.equal((await sandbox.fentry('detach', String(pid))).code, 0);
    await until(() => Number.isNaN(hostOf(pid)), 'the host has ended');
    const { files } = await attach(t, program, sandbox);
    await files.write('set_ftrace_filter', 'step');
    await files.write('current_tracer', 'function');
    assert.equal(await ask(), '100');
    assert.equal(await traceOf(files), 100);
  });

  it('is one that answers: the system lets one that was killed listen for some more milliseconds', async (t) => {
    const sandbox = new Sandbox(t);
    const program = await ready(t, STEPS, OPTIONS);
    const dying = createServer((socket) => socket.destroy()).listen(join(sandbox.sockets, `${program.pid}.sock`));
    t.after(() => dying.close());
    await once(dying, 'listening');
    const { files, ask } = await attach(t, program, sandbox);
    await files.write('set_ftrace_filter', 'step');
    await files.write('current_tracer', 'function');
    assert.equal(await ask(), '100');
    assert.equal(await traceOf(files), 100);
  });

  it('is recorded by fentry record --pid', async (t) => {
    const { pid, sandbox, ask } = await traced(t, STEPS, OPTIONS);
    const record = sandbox.spawnFentry('record', '-p', 'function', '-l', 'step', '--pid', String(pid), 'head', '-n1');
    await once(record.stderr!, 'data');
    const files = sandbox.client(pid);
    await until(async () => (await files.read('enabled_functions')).startsWith('step'), 'it is to be traced');
    // The command's last step.
    await until(async () => (await files.read('tracing_on')) === '1\n', 'it records');
    // A write is answered when everything before it is patched.
    await files.write('set_ftrace_notrace', 'main');
    assert.equal(await ask(), '100');
    record.stdin!.write('\n');
    const { code, stderr } = await finished(record);
    assert.equal(code, 0, stderr);
    const { stdout } = await sandbox.fentry('report', '-O', 'parent');
    assert.equal((stdout.match(/step <-- (main|steps)/g) ?? []).length, 100, `${stderr}\n${stdout}`);
  });
});
