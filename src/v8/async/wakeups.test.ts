import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import type { Wakeup } from '../tracers/latency/wakeups.js';
import { createWakeups } from './wakeups.js';

const MS = 1e6;
const clock = (): number => Math.floor(performance.now() * MS);

function busy(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

const source = createWakeups(clock);
afterEach(() => source.stop());

/** Has `work` make things wait, and gives what waited 50 ms or more until it says that it is done. */
async function longWaits(work: (done: () => void) => void): Promise<readonly Wakeup[]> {
  const waits: Wakeup[] = [];
  source.start((wakeup) => {
    if (wakeup.now - wakeup.ready >= 50 * MS) waits.push(wakeup);
  });
  await new Promise<void>(work);
  source.stop();
  return waits;
}

describe('what waits until it runs', () => {
  it('a timer from when it was due', async () => {
    const waits = await longWaits((done) => {
      setTimeout(done, 10);
      busy(70);
    });
    const timer = waits.find(({ kind, now, ready }) => kind === 'Timeout' && now - ready >= 59 * MS);
    assert.equal(timer?.class, 'dl');
  });

  it('an immediate from when it was queued', async () => {
    const waits = await longWaits((done) => {
      setImmediate(done);
      busy(60);
    });
    assert.ok(waits.some(({ kind, class: one }) => kind === 'Immediate' && one === 'normal'));
  });

  it('a nextTick and a microtask', async () => {
    const waits = await longWaits((done) => {
      process.nextTick(() => {});
      queueMicrotask(() => setImmediate(done));
      busy(60);
    });
    assert.ok(waits.some(({ kind, class: one }) => kind === 'TickObject' && one === 'rt'));
    assert.ok(waits.some(({ kind, class: one }) => kind === 'Microtask' && one === 'rt'));
  });

  it('a reaction from when its promise was resolved, and not from when it was asked for', async () => {
    let resolvedAt = 0;
    let ranAt = 0;
    const waits = await longWaits((done) => {
      let resolve = (): void => {};
      const promise = new Promise<void>((wanted) => (resolve = wanted));
      void promise.then(() => {
        ranAt = clock();
        setImmediate(done);
      });
      setTimeout(() => {
        resolvedAt = clock();
        resolve();
        busy(60);
      }, 100);
    });
    const reaction = waits.filter(({ kind, now }) => kind === 'PROMISE' && now <= ranAt).at(-1)!;
    assert.ok(reaction.ready >= resolvedAt);
  });

  it('await continues when what it awaits is resolved', async () => {
    const waits = await longWaits((done) => {
      const wait = async (): Promise<void> => {
        await null;
        setImmediate(done);
      };
      void wait();
      busy(60);
    });
    assert.ok(waits.some(({ kind }) => kind === 'PROMISE'));
  });
});
