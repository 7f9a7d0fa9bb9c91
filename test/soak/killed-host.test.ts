import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { threadIds, threadState } from '../../src/native/process/tasks.js';
import { Sandbox, until } from '../e2e/support/program.js';
import { asked, hosted, isAsInFile, noTracing, ready, startHost } from '../native/native-machine.js';
import { ALL_RIGHT, NATIVE_PROGRAM } from './native-program.js';

/** How often (more in `npm run soak`), and what the moments follow from. */
const KILLS = Number(process.env['SOAK_KILLS'] ?? 6);
const SEED = Number(process.env['SOAK_SEED'] ?? 1);
/** Times as long as a host takes to attach, in which it is killed: while it attaches, and while it changes what is traced. */
const SPANS = 2;

/** Numbers from 0 to 1 (a linear congruential generator). */
function* moments(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

describe('a host that is killed', { skip: noTracing }, () => {
  it(`at ${KILLS} moments: the program goes on, and the next host leaves the text as its file has it`, async (t) => {
    const program = await ready(t, NATIVE_PROGRAM, ['-fpatchable-function-entry=5']);
    const { pid } = program;
    const sandbox = new Sandbox(t);
    const next = moments(SEED);
    const start = performance.now();
    const first = await hosted(sandbox, pid);
    const span = SPANS * (performance.now() - start);
    first.kill('SIGKILL');
    await once(first, 'exit');
    for (let i = 0; i < KILLS; i++) {
      const host = startHost(sandbox, pid);
      const ended = once(host, 'exit');
      const attached = Promise.race([once(host, 'message').then(() => true), ended.then(() => false)]);
      const changes = attached.then(async (is) => {
        const files = sandbox.client(pid);
        const write = (name: string, text: string): Promise<void> => files.write(name, text).catch(() => {});
        for (let n = 0; is && host.signalCode === null; n++) {
          await write('set_ftrace_filter', n % 2 === 0 ? 'deeper check nap' : 'jump jumps leave resume');
          await write('current_tracer', n % 3 === 0 ? 'function_graph' : n % 3 === 1 ? 'nop' : 'function');
        }
      });
      await sleep(next.next().value * span);
      host.kill('SIGKILL');
      await ended;
      const isStopped = (): boolean => threadIds(pid).some((tid) => threadState(pid, tid) === 'T');
      await until(() => !isStopped(), 'it goes on');
      assert.equal(await asked(program, ''), ALL_RIGHT);
      await changes;
    }
    const host = await hosted(sandbox, pid);
    const detached = once(host, 'exit');
    await sandbox.client(pid).write('attached', '0');
    await detached;
    assert.ok(isAsInFile(pid));
    assert.equal(await asked(program, ''), ALL_RIGHT);
  });
});
