import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PortCommand, TracedThread } from '../../port/port.js';
import { LatencyWatch } from './latency-watch.js';

const MS = 1e6;

/** A thread whose turn began at `since`, and a watch of turns above 40 ms. */
class Watched {
  now = 0;
  since = 0;
  runs = true;
  readonly looks: number[] = [];
  /** When the thread has obeyed. */
  obeyed = Promise.resolve();
  readonly #thread = {
    cpu: 0,
    tid: 1,
    send: (command: PortCommand): Promise<void> => {
      if (command.type === 'look') this.looks.push(this.now / MS);
      return this.obeyed;
    },
  } as unknown as TracedThread;
  readonly watch = new LatencyWatch({
    threads: () => [this.#thread],
    runningSince: () => this.since,
    threshold: () => 40 * MS,
    now: () => this.now,
    isRunning: () => this.runs,
  });

  /** Checks each millisecond of so many. */
  async pass(milliseconds: number): Promise<void> {
    for (let i = 0; i < milliseconds; i++) {
      this.now += MS;
      this.watch.check();
      await this.obeyed;
    }
  }
}

describe('the watch of turns', () => {
  it('looks at a turn from half of tracing_thresh on, ever more seldom', async () => {
    const watched = new Watched();
    watched.since = 1;
    await watched.pass(200);
    assert.deepEqual(watched.looks, [21, 41, 81, 161]);
  });

  it('asks a thread again when it has obeyed', async () => {
    const watched = new Watched();
    watched.since = 1;
    let obey = (): void => {};
    watched.obeyed = new Promise((resolve) => {
      obey = resolve;
    });
    const passing = watched.pass(1);
    for (let i = 0; i < 200; i++) {
      watched.now += MS;
      watched.watch.check();
    }
    assert.deepEqual(watched.looks, [21]);
    obey();
    await passing;
    await watched.pass(1);
    assert.equal(watched.looks.length, 2);
  });

  it('looks at no short turn, none that has ended, and no thread that waits', async () => {
    const watched = new Watched();
    for (let turn = 1; turn <= 10; turn++) {
      watched.since = turn * 15 * MS;
      watched.now = watched.since;
      await watched.pass(15);
    }
    watched.since = 0;
    await watched.pass(100);
    watched.since = watched.now;
    watched.runs = false;
    await watched.pass(100);
    assert.deepEqual(watched.looks, []);
  });
});
