import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it, type TestContext } from 'node:test';
import { attempt } from '../../src/base/attempt.js';
import { compile, start } from '../../src/native/testing/programs.js';
import { CLI, finished, Sandbox, until } from '../e2e/support/program.js';
import { FILTER_ACTIONS, filterSource } from './filter-program.js';
import { asked, memoryOf, noCompiler, ready } from './native-machine.js';

/**
 * Has a second thread, whose id it prints; for each line, prints `goes on`. With an argument its main thread ends. Its input has
 * no buffer, for which the C library would map memory after `ready`.
 */
const PROGRAM = `
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
static void *answer(void *none) {
  printf("ready\\n%ld\\n", (long)syscall(SYS_gettid));
  while (getchar() != EOF) puts("goes on");
  return none;
}
int main(int count, char **words) {
  setbuf(stdin, 0);
  setbuf(stdout, 0);
  pthread_t thread;
  pthread_create(&thread, 0, answer, 0);
  if (count > 1) pthread_exit(0);
  pthread_join(thread, 0);
}`;

/** Traces a thread, as a debugger does, until its input ends. */
const DEBUGGER = `
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
int main(int count, char **words) {
  pid_t tid = atoi(words[1]);
  if (ptrace(PTRACE_SEIZE, tid, 0, 0)) return 1;
  puts("traces");
  fflush(stdout);
  getchar();
}`;

const FILTERED = (action: keyof typeof FILTER_ACTIONS): string => `${filterSource(action)}
#include <stdio.h>
int main(void) {
  setbuf(stdin, 0);
  setbuf(stdout, 0);
  if (install_filter(0)) return 1;
  puts("ready");
  while (getchar() != EOF) puts("goes on");
}`;

const NOBODY = 65534;

/** What `fentry attach --native` says; it has failed and printed nothing else. */
async function refusal(sandbox: Sandbox, pid: number): Promise<string> {
  const { code, stdout, stderr } = await sandbox.fentry('attach', '--native', String(pid));
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /^fentry attach: [^\n]+\n$/);
  return stderr.slice('fentry attach: '.length, -1);
}

/** A thread that the debugger above traces. */
async function debugged(t: TestContext, tid: number): Promise<ChildProcess> {
  const debug = start(t, compile(t, DEBUGGER), [String(tid)]);
  await until(() => debug.output() === 'traces\n', 'the debugger has it');
  return debug.child;
}

async function leave(child: ChildProcess): Promise<void> {
  const end = once(child, 'exit');
  child.stdin!.end();
  await end;
}

const kernelThread = (): number | undefined =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((pid) => {
      const status = attempt(() => readFileSync(`/proc/${pid}/status`, 'latin1'));
      return status !== undefined && !/^VmSize:/m.test(status) && !/^State:\t[ZX]/m.test(status);
    });

describe('fentry attach --native is refused, and says why', { skip: noCompiler }, () => {
  it('for what is no process', async (t) => {
    const sandbox = new Sandbox(t);
    const none = 2 ** 22 - 1;
    assert.equal(await refusal(sandbox, none), `there is no process ${none}: ps -e lists those that there are (ESRCH)`);
    const program = await ready(t, PROGRAM);
    await until(() => /\n\d+\n$/.test(program.output()), 'it has said the id of its thread');
    const tid = Number(program.output().split('\n')[1]);
    assert.equal(await refusal(sandbox, tid), `process ${tid} is a thread of process ${program.pid}: name that one (EINVAL)`);
  });

  it('for a thread of the kernel', async (t) => {
    const pid = kernelThread();
    if (pid === undefined) return t.skip('no thread of the kernel is to be seen in /proc');
    assert.match(await refusal(new Sandbox(t), pid), new RegExp(`^process ${pid} is a thread of the kernel, .* \\(EINVAL\\)$`));
  });

  it('for what has ended', async (t) => {
    const sandbox = new Sandbox(t);
    // The shell does not wait for the first of them before it becomes the second.
    const shell = start(t, 'sh', ['-c', 'sleep 0.05 & echo $!; exec sleep 600']);
    await until(() => /\d+\n/.test(shell.output()), 'it has said the id');
    const zombie = Number(shell.output());
    await until(() => /^State:\tZ/m.test(readFileSync(`/proc/${zombie}/status`, 'latin1')), 'it has ended');
    const words = `process ${zombie} has ended: it is a zombie, which its parent ${shell.pid} has not waited for (ESRCH)`;
    assert.equal(await refusal(sandbox, zombie), words);

    const headless = start(t, compile(t, PROGRAM), ['ends']);
    await until(() => /^State:\tZ/m.test(readFileSync(`/proc/${headless.pid}/status`, 'latin1')), 'its main thread has ended');
    await until(() => /\n\d+\n$/.test(headless.output()), 'its other thread runs');
    assert.match(await refusal(sandbox, headless.pid), /^process \d+ goes on without its main thread, .* \(ESRCH\)$/);
    assert.equal(await asked(headless, ''), 'goes on');
  });

  it('for what is stopped, or has a debugger, and is not when these leave it', async (t) => {
    const sandbox = new Sandbox(t);
    const program = await ready(t, PROGRAM);
    await until(() => /\n\d+\n$/.test(program.output()), 'it has said the id of its thread');
    const { pid } = program;
    const tid = Number(program.output().split('\n')[1]);
    const before = await memoryOf(pid);
    process.kill(pid, 'SIGSTOP');
    await until(() => /^State:\tT/m.test(readFileSync(`/proc/${pid}/status`, 'latin1')), 'it is stopped');
    assert.equal(await refusal(sandbox, pid), `process ${pid} is stopped: let it go on (kill -CONT), then attach (EAGAIN)`);
    process.kill(pid, 'SIGCONT');
    const whole = await debugged(t, pid);
    assert.equal(
      await refusal(sandbox, pid),
      `process ${pid} is traced by process ${whole.pid} (program), as debuggers and strace do: let that one leave it, then attach (EBUSY)`,
    );
    await leave(whole);
    const one = await debugged(t, tid);
    assert.match(await refusal(sandbox, pid), new RegExp(`^process ${pid} .* thread ${tid} .*debugger.* \\(EBUSY\\)$`));
    await leave(one);
    assert.equal(await asked(program, ''), 'goes on');
    assert.deepEqual(await memoryOf(pid), before);
    assert.equal((await sandbox.fentry('attach', '--native', String(pid))).stderr, '');
    assert.equal(await asked(program, ''), 'goes on');
  });

  for (const action of Object.keys(FILTER_ACTIONS) as (keyof typeof FILTER_ACTIONS)[]) {
    it(`for what has a seccomp filter, which would ${action} a call of fentry`, async (t) => {
      const program = await ready(t, FILTERED(action));
      const before = await memoryOf(program.pid);
      const words = /^process \d+ has a seccomp filter .* so fentry makes none there\. Start it without the filter.* \(EPERM\)$/;
      assert.match(await refusal(new Sandbox(t), program.pid), words);
      assert.deepEqual(await memoryOf(program.pid), before);
      assert.equal(await asked(program, ''), 'goes on');
    });
  }

  it("for another user's process", async (t) => {
    if (process.geteuid?.() !== 0) return t.skip('only root can be two users');
    const program = await ready(t, PROGRAM);
    const before = await memoryOf(program.pid);
    const { FENTRY_DIR: _folder, XDG_RUNTIME_DIR: _runtime, NODE_OPTIONS: _options, FENTRY: _parameters, ...env } = process.env;
    const command = spawn(process.execPath, [CLI, 'attach', '--native', String(program.pid)], {
      uid: NOBODY,
      gid: NOBODY,
      cwd: '/',
      env: { ...env, HOME: '/nonexistent', FENTRY_CACHE: '' },
    });
    const { code, stderr } = await finished(command);
    if (/Cannot find module|permission denied/.test(stderr)) return t.skip('that user cannot read the files of this build');
    const words = `process ${program.pid} belongs to user 0: only that user and root may change it (EPERM)`;
    assert.deepEqual([code, stderr], [1, `fentry attach: ${words}\n`]);
    assert.deepEqual(await memoryOf(program.pid), before);
    assert.equal(await asked(program, ''), 'goes on');
  });
});
