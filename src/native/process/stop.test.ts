import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '../../../test/e2e/support/program.js';
import { compile, noTracing, start } from '../testing/programs.js';
import { processMaps } from './process-maps.js';
import { whileStopped } from './stop.js';
import { threadIds, threadState } from './tasks.js';

/** Creates and ends threads all the time, in eight threads. */
const CHURN = `
#include <pthread.h>
#include <stdio.h>
static void *nothing(void *none) { return none; }
static void *churn(void *none) {
  for (;;) { pthread_t thread; if (pthread_create(&thread, 0, nothing, 0) == 0) pthread_join(thread, 0); }
}
int main(void) {
  setbuf(stdout, 0);
  puts("ready");
  pthread_t thread;
  for (int i = 0; i < 7; i++) pthread_create(&thread, 0, churn, 0);
  churn(0);
}`;

describe('stopping a process', () => {
  it('tells where a thread stands: in which system call, and at which address', async (t) => {
    const { pid } = start(t, 'sleep', ['1000']);
    await until(() => threadState(pid, pid) === 'S', 'it sleeps');
    const [thread, ...others] = whileStopped(pid, ({ threads }) => threads);
    assert.deepEqual(others, []);
    assert.equal(thread!.tid, pid);
    assert.equal(thread!.call?.args.length, 6);
    const holds = (address: number): string =>
      processMaps(pid).find((range) => address >= range.start && address < range.end)?.permissions ?? '';
    assert.equal(holds(thread!.pc), 'r-xp');
    assert.equal(holds(thread!.sp), 'rw-p');
    await until(() => threadState(pid, pid) === 'S', 'it sleeps again');
  });

  it('leaves a process stopped that was stopped before', async (t) => {
    const { pid } = start(t, 'sleep', ['1000']);
    process.kill(pid, 'SIGSTOP');
    await until(() => threadState(pid, pid) === 'T', 'it is stopped');
    whileStopped(pid, () => {});
    assert.equal(threadState(pid, pid), 'T');
  });

  it('lets the process go on when the work there fails', async (t) => {
    const { pid } = start(t, 'sleep', ['1000']);
    await until(() => threadState(pid, pid) === 'S', 'it sleeps');
    assert.throws(() =>
      whileStopped(pid, () => {
        throw new Error('no');
      }),
    );
    await until(() => threadState(pid, pid) === 'S', 'it sleeps again');
  });

  it('stops all threads of a process that creates and ends them all the time', { skip: noTracing }, async (t) => {
    const program = start(t, compile(t, CHURN));
    await until(() => program.output() === 'ready\n', 'it runs');
    for (let i = 0; i < 50; i++) {
      whileStopped(program.pid, ({ threads }) => {
        const states = threadIds(program.pid).map((tid) => threadState(program.pid, tid));
        assert.ok(
          states.every((state) => state === undefined || 'TZX'.includes(state)),
          states.join(),
        );
        assert.equal(threads.length, states.filter((state) => state === 'T').length);
      });
    }
  });

  it('says that there is no such process', () => {
    assert.throws(() => whileStopped(2 ** 22 + 1, () => {}), { errno: 'ESRCH' });
  });
});
