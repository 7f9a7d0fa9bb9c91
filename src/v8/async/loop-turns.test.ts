import assert from 'node:assert/strict';
import { readFile } from 'node:fs';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, it } from 'node:test';
import type { TurnListener } from '../tracers/latency/turns.js';
import { createLoopTurns } from './loop-turns.js';

interface Turn {
  readonly kind: string;
  readonly start: number;
  readonly parts: string[];
  /** In nanoseconds; undefined until its end is reported. */
  length: number | undefined;
}

const MS = 1e6;
const clock = (): number => Math.floor(performance.now() * MS);

function busy(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

/** Knows in which turn a callback runs. */
class Turns implements TurnListener {
  #now: Turn | undefined;
  began(kind: string, _context: string, start: number): void {
    this.#now = { kind, start, parts: [], length: undefined };
  }
  continued(kind: string): void {
    this.#now!.parts.push(kind);
  }
  matters(): boolean {
    return true;
  }
  ended(now: number): void {
    this.#now!.length = now - this.#now!.start;
  }
  /** The turn that runs. */
  get here(): Turn {
    return this.#now!;
  }
}

const source = createLoopTurns(clock);
const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, milliseconds));

/** Has `work` begin in a turn of its own; gives the turns that it saw, when its last one has ended. */
async function turnsOf(work: (see: () => void, done: () => void) => void): Promise<readonly Turn[]> {
  await wait(1);
  const turns = new Turns();
  source.start(turns);
  source.discard();
  const seen: Turn[] = [];
  const see = (): void => void seen.push(turns.here);
  await new Promise<void>((resolve) => void setTimeout(() => work(see, resolve), 2));
  await wait(1);
  source.stop();
  return seen;
}

/** The one turn that all of these are. */
function theOne(turns: readonly Turn[]): Turn {
  assert.equal(new Set(turns).size, 1);
  return turns[0]!;
}

afterEach(() => source.stop());

describe('the turns of the event loop', () => {
  it('a turn is a callback with all nextTicks and promise reactions that follow', async () => {
    const turns = await turnsOf((see, done) => {
      const work = (): void => {
        see();
        busy(10);
      };
      work();
      process.nextTick(work);
      Promise.resolve()
        .then(work)
        .then(() => {
          work();
          process.nextTick(() => {
            work();
            setTimeout(done, 1);
          });
        });
    });
    assert.equal(turns.length, 5);
    const { kind, parts, length } = theOne(turns);
    assert.equal(kind, 'Timeout');
    assert.deepEqual([...new Set(parts)].sort(), ['PROMISE', 'TickObject']);
    assert.ok(length! >= 50 * MS);
  });

  it('ends before what was only scheduled', async () => {
    const turns = await turnsOf((see, done) => {
      see();
      setImmediate(() => {
        see();
        setTimeout(() => {
          see();
          done();
        }, 5);
      });
    });
    assert.equal(new Set(turns).size, 3);
    assert.deepEqual(
      turns.map(({ kind }) => kind),
      ['Timeout', 'Immediate', 'Timeout'],
    );
  });

  it('a storm of promises holds the loop as one turn', async () => {
    const turns = await turnsOf(async (see, done) => {
      for (let i = 0; i < 1000; i++) {
        await null;
        see();
      }
      setTimeout(done, 1);
    });
    assert.notEqual(theOne(turns).length, undefined);
  });

  it('so does a storm of nextTicks', async () => {
    const turns = await turnsOf((see, done) => {
      let left = 1000;
      const again = (): void => {
        see();
        if (left-- > 0) process.nextTick(again);
        else setTimeout(done, 1);
      };
      again();
    });
    assert.notEqual(theOne(turns).length, undefined);
  });

  it('callbacks of I/O are turns of their kind', async () => {
    const [turn] = await turnsOf((see, done) => {
      readFile(import.meta.filename, () => {
        see();
        setTimeout(done, 1);
      });
    });
    assert.match(turn!.kind, /^(FSReqCallback|ReadFileJob)$/);
  });

  it('what a request handler left to its queues belongs to its turn', async () => {
    const requests: (() => void)[] = [];
    const server = createServer((_request, response) => {
      for (const see of requests) see();
      process.nextTick(() => {
        for (const see of requests) see();
        response.end('x');
      });
    });
    await new Promise<void>((resolve) => void server.listen(0, resolve));
    const turns = await turnsOf((see, done) => {
      requests.push(see);
      get({ port: (server.address() as AddressInfo).port, agent: false }, (answer) => answer.resume().on('end', done));
    });
    server.close();
    assert.equal(turns.length, 2);
    assert.match(theOne(turns).kind, /HTTP/);
  });

  it('a discarded turn is not reported', async () => {
    const turns = await turnsOf((see, done) => {
      see();
      source.discard();
      setTimeout(done, 1);
    });
    assert.equal(theOne(turns).length, undefined);
  });
});
