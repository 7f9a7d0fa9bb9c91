import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineEvent } from '../../events/define.js';
import { one } from '../../events/fields.js';
import { FakeThread } from '../testing/fake-thread.js';
import { ThreadEventFiles } from './thread-event-files.js';

const TICK = { ...defineEvent('timer', 'tick', { fields: { n: one('u32') }, print: '""' }), id: 300 };
const CONFIG = { word: 0, isRecorded: true, triggers: [], hists: [] };

function createFiles(ignored: Set<number>) {
  const threads = [new FakeThread(0, 100), new FakeThread(1, 101)];
  const living = threads.map(({ connection }) => connection);
  const files = new ThreadEventFiles(
    0,
    { living },
    { memory: new SharedArrayBuffer(4) },
    {
      ignoresEvents: (tid) => ignored.has(tid),
      eventBit: 0,
    },
  );
  /** What each thread was told since the last look: the event, the event left out, or that it is off. */
  const told = (): string[][] =>
    threads.map(({ posted }) =>
      posted.splice(0).map((command) => {
        assert.equal(command.type, 'event');
        const { config } = command as { config?: { isIgnored?: boolean } };
        return config === undefined ? 'off' : config.isIgnored === true ? 'ignored' : 'on';
      }),
    );
  return { files, living, told };
}

test('a thread that the lists of pids leave out is told to ignore the events', () => {
  const ignored = new Set([101]);
  const { files, told } = createFiles(ignored);
  files.applyPids();
  files.set(TICK, CONFIG);
  assert.deepEqual(told(), [['on'], ['ignored']]);
  files.set(TICK, undefined);
  assert.deepEqual(told(), [['off'], ['off']]);
});

test('when the lists change, only the threads that it concerns are told', () => {
  const ignored = new Set<number>();
  const { files, told } = createFiles(ignored);
  files.set(TICK, CONFIG);
  assert.deepEqual(told(), [['on'], ['on']]);
  ignored.add(100);
  files.applyPids();
  assert.deepEqual(told(), [['ignored'], []]);
  files.applyPids();
  assert.deepEqual(told(), [[], []]);
  ignored.delete(100);
  ignored.add(101);
  files.applyPids();
  assert.deepEqual(told(), [['on'], ['ignored']]);
});

test('a thread that starts is told the events as the lists have them then', () => {
  const { files, living } = createFiles(new Set([102]));
  files.set(TICK, CONFIG);
  const late = new FakeThread(2, 102);
  living.push(late.connection);
  files.addThread(late.connection);
  assert.deepEqual(
    late.of('event').map(({ config }) => config?.isIgnored),
    [true],
  );
});
