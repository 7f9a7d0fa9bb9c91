import assert from 'node:assert/strict';
import { readFile } from 'node:fs';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, it } from 'node:test';
import type { TurnListener } from '../../tracers/latency/turns.js';
import { createLoopTurns } from './loop-turns.js';

interface Turn {
  readonly kind: string;
  readonly length: number;
  readonly parts: string[];
}

const MS = 1e6;
const clock = (): number => Math.floor(performance.now() * MS);

function busy(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

/** Keeps the turns that took at least 20 ms: what the test runner does meanwhile is shorter. */
class LongTurns implements TurnListener {
  readonly turns: Turn[] = [];
  #now: { kind: string; start: number; parts: string[] } = { kind: '', start: 0, parts: [] };
  began(kind: string, _context: string, now: number): void {
    this.#now = { kind, start: now, parts: [] };
  }
  continued(kind: string): void {
    this.#now.parts.push(kind);
  }
  isOwn(): boolean {
    return false;
  }
  matters(length: number): boolean {
    return length >= 20 * MS;
  }
  ended(now: number): void {
    const { kind, start, parts } = this.#now;
    if (now - start >= 20 * MS) this.turns.push({ kind, length: now - start, parts });
  }
}

const source = createLoopTurns(clock);
const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, milliseconds));

/** Has `work` begin in a turn of its own, and gives the long turns until it says that it is done. */
async function turnsOf(work: (done: () => void) => void): Promise<readonly Turn[]> {
  await wait(1);
  const long = new LongTurns();
  source.start(long);
  source.discard();
  await new Promise<void>((resolve) => void setTimeout(() => work(resolve), 2));
  await wait(1);
  source.stop();
  return long.turns;
}

afterEach(() => source.stop());

describe('the turns of the event loop', () => {
  it('a turn is a callback with all nextTicks and promise reactions that follow', async () => {
    const turns = await turnsOf((done) => {
      busy(10);
      process.nextTick(() => busy(10));
      Promise.resolve()
        .then(() => busy(10))
        .then(() => {
          busy(10);
          process.nextTick(() => {
            busy(10);
            setTimeout(done, 1);
          });
        });
    });
    const turn = turns.find(({ length }) => length >= 50 * MS)!;
    assert.equal(turn.kind, 'Timeout');
    assert.deepEqual([...new Set(turn.parts)].sort(), ['PROMISE', 'TickObject']);
  });

  it('ends before what was only scheduled', async () => {
    const turns = await turnsOf((done) => {
      busy(30);
      setImmediate(() => {
        busy(40);
        setTimeout(() => {
          busy(50);
          done();
        }, 5);
      });
    });
    const kinds = turns.map(({ kind }) => kind).filter((kind) => kind === 'Timeout' || kind === 'Immediate');
    assert.deepEqual(kinds.slice(0, 3), ['Timeout', 'Immediate', 'Timeout']);
  });

  it('a storm of promises holds the loop as one turn', async () => {
    const turns = await turnsOf(async (done) => {
      const end = performance.now() + 60;
      while (performance.now() < end) await null;
      setTimeout(done, 1);
    });
    assert.ok(turns.some(({ length }) => length >= 60 * MS));
  });

  it('so does a storm of nextTicks', async () => {
    const turns = await turnsOf((done) => {
      const end = performance.now() + 60;
      const again = (): void => {
        if (performance.now() < end) process.nextTick(again);
        else setTimeout(done, 1);
      };
      again();
    });
    assert.ok(turns.some(({ length }) => length >= 60 * MS));
  });

  it('callbacks of I/O are turns of their kind', async () => {
    const turns = await turnsOf((done) => {
      readFile(import.meta.filename, () => {
        busy(30);
        setTimeout(done, 1);
      });
    });
    assert.ok(turns.some(({ kind, length }) => /^(FSReqCallback|ReadFileJob)$/.test(kind) && length >= 30 * MS));
  });

  it('what a request handler left to its queues belongs to its turn', async () => {
    const server = createServer((_request, response) => {
      busy(30);
      process.nextTick(() => {
        busy(30);
        response.end('x');
      });
    });
    await new Promise<void>((resolve) => void server.listen(0, resolve));
    const turns = await turnsOf((done) => {
      get({ port: (server.address() as AddressInfo).port, agent: false }, (answer) => answer.resume().on('end', done));
    });
    server.close();
    const handler = turns.find(({ length }) => length >= 60 * MS);
    assert.match(handler!.kind, /HTTP/);
  });

  it('nobody is told of a discarded turn', async () => {
    const turns = await turnsOf((done) => {
      source.discard();
      busy(100);
      setTimeout(done, 1);
    });
    assert.ok(!turns.some(({ length }) => length >= 100 * MS));
  });
});
