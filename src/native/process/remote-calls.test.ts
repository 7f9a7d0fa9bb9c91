import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it, type TestContext } from 'node:test';
import { until } from '../../../test/e2e/support/program.js';
import { attempt } from '../../base/attempt.js';
import { ElfFile, SEGMENT, SEGMENT_FLAG } from '../elf/elf-file.js';
import { processMachine } from '../machines/process-machine.js';
import { compile, noTracing, type RunningProgram, start } from '../testing/programs.js';
import { nearRoom, textSlack } from './near-room.js';
import { isExecutable, mappedObjects, processMaps } from './process-maps.js';
import { ProcessMemory } from './process-memory.js';
import { RemoteCaller } from './remote-calls.js';
import { threadIds } from './tasks.js';

const {
  mmap: MMAP,
  munmap: MUNMAP,
  getpid: GETPID,
  memfd_create: MEMFD_CREATE,
  write: WRITE,
  close: CLOSE,
} = processMachine.systemCalls;
const READ_WRITE = 3;
const READ_EXECUTE = 5;
const PRIVATE_ANONYMOUS = 0x22;
const PAGE = 4096;

/** Prints a growing number in an endless loop, without a system call in between. */
const BUSY = `
#include <stdio.h>
#include <unistd.h>
int main(void) {
  setbuf(stdout, 0);
  puts("ready");
  for (volatile unsigned long i = 0;; i++) {}
}`;

/** So many bytes behind its text are left of the last page: too few for a stub. No library is near. */
const FEW = 160;
function compileWithoutRoom(t: TestContext): string {
  const withText = (bytes: number): string => compile(t, `__asm__(".skip ${bytes}");${BUSY}`, ['-no-pie', '-fno-pie']);
  const path = withText(0);
  const text = new ElfFile(readFileSync(path), path).segments.find(
    ({ type, flags }) => type === SEGMENT.load && (flags & SEGMENT_FLAG.execute) !== 0,
  )!;
  return withText(PAGE - FEW - ((text.address + text.fileSize) % PAGE));
}

/** Ten threads that sleep, each in the same function, and count. */
const TEN_SLEEPERS = `
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>
static atomic_long turns;
static void *sleeper(void *none) {
  for (;;) { usleep(1000); turns++; }
}
int main(void) {
  setbuf(stdout, 0);
  pthread_t thread;
  for (int i = 0; i < 10; i++) pthread_create(&thread, 0, sleeper, 0);
  puts("ready");
  char line[16];
  while (fgets(line, sizeof line, stdin)) printf("%ld\\n", turns);
}`;

/** Each line has one more of two threads install a filter that ends the process when the thread calls getpid. */
const FILTERED = `
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
static atomic_int asked, done;
static void filter(void) {
  struct sock_filter words[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getpid, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {4, words};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  done += prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}
static void *other(void *none) {
  for (int is_filtered = 0;; usleep(1000)) if (asked == 2 && !is_filtered) { filter(); is_filtered = 1; }
}
int main(void) {
  setbuf(stdout, 0);
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  puts("ready");
  for (char line[16]; fgets(line, sizeof line, stdin);) {
    if (++asked == 1) filter();
    while (done < asked) usleep(1000);
    printf("%d\\n", done);
  }
}`;

/** What programs do when they are reached. */
const PROGRAMS: Readonly<Record<string, (t: TestContext) => RunningProgram>> = {
  sleep: (t) => start(t, 'sleep', ['1000']),
  cat: (t) => start(t, 'cat'),
  'a shell': (t) => start(t, 'sh', ['-c', 'while read line; do echo $line; done']),
  'a busy loop': (t) => start(t, compile(t, BUSY)),
  'ten sleeping threads': (t) => start(t, compile(t, TEN_SLEEPERS)),
  Node: (t) => start(t, process.execPath, ['-e', 'console.log("ready"); setInterval(() => {}, 5)']),
  Python: (t) => start(t, 'python3', ['-uc', 'import time\nprint("ready")\nwhile True: time.sleep(0.001)']),
};

/** The process has loaded its libraries, and runs or waits. */
async function started({ pid, output }: RunningProgram, says = ''): Promise<void> {
  await until(() => output() === says, 'the program runs');
  const objects = (): number => mappedObjects(attempt(() => processMaps(pid)) ?? []).length;
  await until(() => objects() > 1, 'the program has its libraries');
  // Still the same after some looks: the dynamic linker has ended.
  let count = 0;
  for (let same = 0; same < 5; ) {
    const now = objects();
    same = now === count ? same + 1 : 0;
    count = now;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The bytes of all texts, those that belong to no section left out. */
function texts(pid: number, memory: ProcessMemory): readonly string[] {
  return mappedObjects(processMaps(pid)).flatMap((object) => {
    const slack = textSlack(memory, object);
    return object.ranges.filter(isExecutable).map(({ start: from, end }) => {
      const bytes = Buffer.from(memory.read(from, (slack !== undefined && slack.end === end ? slack.start : end) - from));
      return `${object.path} ${bytes.toString('base64')}`;
    });
  });
}

/** Maps memory for stubs: that of the texts is soon used up. */
function lendRoom(caller: RemoteCaller, pid: number): void {
  const bytes = PAGE * 16;
  const room = nearRoom(processMaps(pid), mappedObjects(processMaps(pid)).at(-1)!.ranges, bytes)!;
  const [given] = caller.call([{ nr: MMAP, args: [room, bytes, READ_EXECUTE, PRIVATE_ANONYMOUS, -1, 0] }]);
  assert.equal(given, room, 'the program has mapped nothing there meanwhile');
  caller.lend({ start: room, end: room + bytes });
}

describe('system calls in another process', () => {
  for (const [name, begin] of Object.entries(PROGRAMS)) {
    const skip = /busy|ten/.test(name) ? noTracing : false;
    it(`are made by ${name}`, { skip }, async (t) => {
      const program = begin(t);
      await started(program, /busy|ten|Node|Python/.test(name) ? 'ready\n' : '');
      const memory = new ProcessMemory(program.pid);
      const caller = new RemoteCaller(memory);
      lendRoom(caller, program.pid);
      for (let i = 0; i < 3; i++) {
        const [pid, address] = caller.call([
          { nr: GETPID, args: [] },
          { nr: MMAP, args: [0, PAGE, READ_WRITE, PRIVATE_ANONYMOUS, -1, 0] },
        ]);
        assert.equal(pid, program.pid);
        memory.write(address!, Uint8Array.of(1, 2, 3));
        assert.deepEqual([...memory.read(address!, 4)], [1, 2, 3, 0]);
        caller.call([{ nr: MUNMAP, args: [address!, PAGE] }]);
        // Another of its threads may have mapped something there since.
        const left = attempt(() => [...memory.read(address!, 4)]);
        assert.notDeepEqual(left, [1, 2, 3, 0]);
      }
      assert.equal(program.child.exitCode, null);
      assert.equal(program.child.signalCode, null);
    });
  }

  it('are made by a busy loop that has too little room behind it for more than a step', { skip: noTracing }, async (t) => {
    const program = start(t, compileWithoutRoom(t));
    await started(program, 'ready\n');
    const caller = new RemoteCaller(new ProcessMemory(program.pid));
    assert.deepEqual(caller.call([{ nr: GETPID, args: [] }]), [program.pid]);
    assert.equal(program.child.exitCode, null);
  });

  it('are made by threads without a seccomp filter alone', { skip: noTracing }, async (t) => {
    const program = start(t, compile(t, FILTERED));
    await started(program, 'ready\n');
    const caller = new RemoteCaller(new ProcessMemory(program.pid));
    program.child.stdin!.write('\n');
    await until(() => program.output() === 'ready\n1\n', 'the main thread has a filter');
    for (let i = 0; i < 3; i++) assert.deepEqual(caller.call([{ nr: GETPID, args: [] }]), [program.pid]);
    program.child.stdin!.write('\n');
    await until(() => program.output() === 'ready\n1\n2\n', 'both threads have one');
    assert.throws(() => caller.call([{ nr: GETPID, args: [] }]), {
      errno: 'EPERM',
      message: new RegExp(`^each thread of process ${program.pid} has a seccomp filter`),
    });
    assert.equal(program.child.signalCode, null);
  });

  it('take results of calls before them, and bytes', async (t) => {
    const program = start(t, 'cat');
    await started(program);
    const memory = new ProcessMemory(program.pid);
    const caller = new RemoteCaller(memory);
    const word = Buffer.from('traced\0');
    const calls = [
      { nr: MEMFD_CREATE, args: [{ bytes: word }, 0] },
      { nr: WRITE, args: [{ result: 0 }, { bytes: word }, word.length - 1] },
    ];
    const read = ([made]: readonly number[]) => [made!, readFileSync(`/proc/${program.pid}/fd/${made}`, 'latin1')] as const;
    const [fd, text] = caller.run(calls, read, [{ nr: CLOSE, args: [{ result: 0 }] }]);
    assert.equal(text, 'traced');
    assert.throws(() => caller.call([{ nr: CLOSE, args: [fd] }]), {
      errno: 'ENOMEM',
      message: `system call ${CLOSE} in the process has failed with errno 9`,
    });
    program.child.stdin!.write('still there\n');
    await until(() => program.output() === 'still there\n', 'the program has answered');
  });

  it('leave ten threads at their work, and their text as it was outside of the slack', { skip: noTracing }, async (t) => {
    const program = start(t, compile(t, TEN_SLEEPERS));
    await until(() => program.output() === 'ready\n', 'the threads run');
    const memory = new ProcessMemory(program.pid);
    const before = texts(program.pid, memory);
    const caller = new RemoteCaller(memory);
    lendRoom(caller, program.pid);
    for (let i = 0; i < 20; i++) assert.deepEqual(caller.call([{ nr: GETPID, args: [] }]), [program.pid]);
    assert.equal(threadIds(program.pid).length, 11);
    const lines = (): readonly string[] => program.output().split('\n').slice(1, -1);
    const ask = async (): Promise<number> => {
      const asked = lines().length;
      program.child.stdin!.write('\n');
      await until(() => lines().length > asked, 'the program has answered');
      return Number(lines().at(-1));
    };
    const turns = await ask();
    await until(async () => (await ask()) > turns + 100, 'the threads turn');
    assert.deepEqual(texts(program.pid, memory), before);
  });

  it('are refused where the process has ended', async (t) => {
    const program = start(t, 'sleep', ['1000']);
    await started(program);
    const memory = new ProcessMemory(program.pid);
    program.child.kill('SIGKILL');
    await until(() => program.child.signalCode !== null, 'the program has ended');
    assert.throws(() => new RemoteCaller(memory).call([{ nr: GETPID, args: [] }]), { errno: 'ESRCH' });
  });
});
