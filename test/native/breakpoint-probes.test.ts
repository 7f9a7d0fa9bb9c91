import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '../e2e/support/program.js';
import { attach, hostOf, type NativeMachine, noCompiler, ready, recorded, textOf, traced } from './native-machine.js';

/**
 * `spot` has places where no jump of 5 bytes fits: +0x2 (a loop goes to the byte behind it), +0xa (a call follows) and +0xe (the
 * end). `run`: sixteen threads call it, half of which have blocked all signals. `own`: the program's own traps. `handler`: a
 * signal handler calls it that blocks all signals.
 */
const SPOTS = `
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
long spot(long n, long (*leaf)(long));
__asm__(".text\\n.globl spot\\n.type spot,@function\\nspot:\\n"
  "mov %esp,%eax\\n"
  "nop\\n"
  "1: dec %rdi\\n"
  "jz 2f\\n"
  "jmp 1b\\n"
  "2: call *%rsi\\n"
  "inc %eax\\n"
  "ret\\n"
  ".size spot, . - spot\\n");
__attribute__((noinline)) long leaf(long n) { __asm__ volatile(""); return 41; }
static volatile int own;
static void trapped(int signal, siginfo_t *info, void *context) { own++; }
static volatile long handled;
static void handle(int signal) { handled = spot(3, leaf); }
static void *worker(void *blocks) {
  sigset_t all;
  sigfillset(&all);
  if (blocks) pthread_sigmask(SIG_BLOCK, &all, 0);
  long sum = 0;
  for (int i = 0; i < 250; i++) sum += spot(3, leaf);
  return (void *)sum;
}
int main(void) {
  struct sigaction action = { .sa_sigaction = trapped, .sa_flags = SA_SIGINFO };
  sigaction(SIGTRAP, &action, 0);
  struct sigaction other = { .sa_handler = handle };
  sigfillset(&other.sa_mask);
  sigaction(SIGUSR1, &other, 0);
  setbuf(stdout, 0);
  puts("ready");
  char line[64];
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\\n")] = 0;
    if (!strcmp(line, "run")) {
      pthread_t threads[16];
      long sum = 0;
      for (long i = 0; i < 16; i++) pthread_create(&threads[i], 0, worker, (void *)(i & 1));
      for (int i = 0; i < 16; i++) {
        void *result;
        pthread_join(threads[i], &result);
        sum += (long)result;
      }
      printf("%ld\\n", sum);
    } else if (!strcmp(line, "own")) {
      struct sigaction old;
      raise(SIGTRAP);
      __asm__ volatile("int3");
      sigaction(SIGTRAP, &action, &old);
      printf("%d %s\\n", own, old.sa_sigaction == trapped ? "own" : "other");
    } else if (!strcmp(line, "handler")) {
      sigaction(SIGUSR1, &other, 0);
      raise(SIGUSR1);
      printf("%ld\\n", handled);
    } else if (!strcmp(line, "fork")) {
      int status;
      pid_t child = fork();
      if (child == 0) _exit(spot(3, leaf));
      waitpid(child, &status, 0);
      printf("%d\\n", WEXITSTATUS(status));
    } else if (!strcmp(line, "ignore")) {
      signal(SIGTRAP, SIG_IGN);
      raise(SIGTRAP);
      puts("ignored");
    } else if (!strcmp(line, "die")) {
      signal(SIGTRAP, SIG_DFL);
      raise(SIGTRAP);
      puts("alive");
    } else printf("%ld\\n", spot(3, leaf));
  }
}`;
const PLACES = 'p:nop spot+2 n=%di:s64\np:branch spot+0xa n=%si\np:last spot+0xe ax=%ax:s32\n';
const SUM = String(16 * 250 * 42);

const machine = (t: Parameters<typeof traced>[0]): Promise<NativeMachine> => traced(t, SPOTS, ['-fno-pie', '-no-pie']);

async function probed(files: NativeMachine['files']): Promise<void> {
  await files.append('kprobe_events', PLACES);
  await files.write('events/kprobes/enable', '1');
}

describe('probes by a breakpoint, where no jump fits', { skip: noCompiler }, () => {
  it('record every hit of sixteen threads, also of those that block all signals', async (t) => {
    const { files, ask, pid } = await machine(t);
    const before = textOf(pid);
    await probed(files);
    assert.equal(
      (await files.read('kprobes/list')).replaceAll(/^[\da-f]{16}/gm, 'ADDRESS'),
      'ADDRESS  k  spot+0x2    \nADDRESS  k  spot+0xa    \nADDRESS  k  spot+0xe    \n',
    );
    assert.equal(await ask('run'), SUM);
    const rows = (await files.read('kprobe_profile'))
      .trim()
      .split('\n')
      .map((row) => row.trim().split(/ +/));
    assert.deepEqual(
      rows.map(([name, hits]) => [name, Number(hits)]),
      [
        ['nop', 4000],
        ['branch', 4000],
        ['last', 4000],
      ],
    );
    const missed = rows.reduce((all, row) => all + Number(row[2]), 0);
    assert.equal((await recorded(files)) + missed, 12_000);
    await files.write('events/kprobes/enable', '0');
    assert.equal(textOf(pid), before);
    assert.equal(await ask('run'), SUM);
  });

  it('fetch registers and have filters', async (t) => {
    const { files, ask } = await machine(t);
    await probed(files);
    await files.write('events/kprobes/branch/filter', 'n == 0');
    await ask('one');
    assert.deepEqual(
      (await files.read('trace')).split('\n').flatMap((line) => /: (\w+: \(spot.*)$/.exec(line)?.[1] ?? []),
      ['nop: (spot+0x2/0xf) n=3', 'last: (spot+0xe/0xf) ax=42'],
    );
  });

  it('leave SIGTRAP to the program', async (t) => {
    const { files, ask, pid, sandbox, program } = await machine(t);
    await probed(files);
    assert.equal(await ask('own'), '2 own');
    assert.equal(await ask('handler'), '42');
    assert.equal(await ask('fork'), '42');
    assert.match(await files.read('kprobe_profile'), /nop +1 +0\n/);
    await sandbox.fentry('detach', String(pid));
    assert.equal(await ask('own'), '4 own');
    assert.equal(await ask('run'), SUM);
    const again = await attach(t, program, sandbox);
    await probed(again.files);
    assert.equal(await ask('ignore'), 'ignored');
    program.child.stdin!.write('die\n');
    await until(() => program.child.signalCode !== null, 'the program has ended');
    assert.equal(program.child.signalCode, 'SIGTRAP');
  });

  it('stay when fentry is killed, and the next fentry takes them away', async (t) => {
    const program = await ready(t, SPOTS, ['-fno-pie', '-no-pie']);
    const compiled = textOf(program.pid);
    const { files, ask, pid, sandbox } = await attach(t, program);
    await probed(files);
    process.kill(hostOf(pid), 'SIGKILL');
    await until(() => Number.isNaN(hostOf(pid)), 'the host has ended');
    assert.notEqual(textOf(pid), compiled);
    assert.equal(await ask('run'), SUM);
    const again = await attach(t, program, sandbox);
    assert.equal(textOf(pid), compiled);
    await probed(again.files);
    assert.equal(await ask('own'), '2 own');
    assert.equal(await ask('run'), SUM);
    await sandbox.fentry('detach', String(pid));
    assert.equal(textOf(pid), compiled);
    assert.equal(await ask('own'), '4 own');
  });

  it('are refused where a thread could run into one while it blocks SIGTRAP', async (t) => {
    const { files } = await traced(
      t,
      `#include <signal.h>
       #include <stdio.h>
       #include <string.h>
       long spot(void);
       __asm__(".globl spot\\n.type spot,@function\\nspot: mov %esp,%eax\\nnop\\nret\\n.size spot, . - spot\\n");
       int main(void) {
         sigset_t all;
         sigfillset(&all);
         sigprocmask(SIG_BLOCK, &all, 0);
         puts("ready");
         fflush(stdout);
         while (getchar() != EOF) spot();
       }`,
      ['-fno-pie', '-no-pie'],
    );
    await files.append('kprobe_events', 'p:nop spot+2\n');
    await files.write('events/kprobes/nop/enable', '1');
    assert.match(
      await files.read('error_log'),
      /the place of a probe needs a breakpoint, and thread \d+ \(program\) blocks SIGTRAP: there it would end the program/,
    );
  });
});
