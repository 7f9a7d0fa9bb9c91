import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteBuffer } from './byte-buffer.js';
import { NONE } from './call-row.js';
import { CALL_FLAGS } from './columns-format.js';
import { ColumnsWriter } from './columns-writer.js';
import { PayloadReader } from './payload-reader.js';
import { ColumnsError, ColumnsReader } from './read-columns.js';
import { madeUp, madeUpBytes } from './testing/made-up.js';

test('numbers of all sizes are read as they were written', () => {
  const numbers = [
    0,
    1,
    127,
    128,
    2 ** 14,
    2 ** 28 - 1,
    2 ** 28,
    2 ** 31 - 1,
    2 ** 31,
    2 ** 32 + 5,
    1_700_000_000_123_456,
    2 ** 53 - 1,
  ];
  const buffer = new ByteBuffer();
  for (const number of numbers) {
    buffer.varint(number);
    if (number < 2 ** 52) buffer.zigzag(-number);
  }
  buffer.double(-0.125);
  const reader = new PayloadReader(buffer.bytes);
  for (const number of numbers) {
    assert.equal(reader.varint(), number);
    if (number < 2 ** 52) assert.equal(reader.zigzag() + 0, -number + 0);
  }
  assert.equal(reader.double(), -0.125);
  assert.equal(reader.hasMore, false);
});

test('a recording is the same however its bytes are cut', () => {
  const pieces = madeUpBytes({ main: 'main 0-100\n  load 10-40\n    read 15-30\n  load 50-90', worker: 'job 20-60' });
  const bytes = Buffer.concat(pieces);
  const whole = new ColumnsReader();
  whole.push(bytes);
  const single = new ColumnsReader();
  for (const byte of bytes) single.push(Uint8Array.of(byte));
  assert.deepEqual(single.finish(), whole.finish());
  const [main, worker] = whole.recording.tracks;
  assert.deepEqual(
    main!.rows.map((row) => [...row.starts.subarray(0, row.count)]),
    [[0], [10, 50], [15]],
  );
  assert.deepEqual([...main!.rows[1]!.callers.subarray(0, 2)], [0, 0]);
  assert.equal(main!.rows[2]!.callers[0], 0);
  assert.equal(main!.rows[0]!.self(0), 30);
  assert.equal(worker!.rows[0]!.callers[0], NONE);
  assert.deepEqual([whole.recording.from, whole.recording.to, whole.recording.callCount], [0, 100, 5]);
});

test('rows that grow keep callers, and have no caller where none was recorded', () => {
  const lines = Array.from({ length: 500 }, (_, i) => `f ${i * 10}-${i * 10 + 8}\n  g ${i * 10 + 1}-${i * 10 + 5}`);
  const { tracks } = madeUp({ main: lines.join('\n') });
  const [outer, inner] = tracks[0]!.rows;
  for (let i = 0; i < 500; i++) assert.deepEqual([outer!.callers[i], inner!.callers[i]], [NONE, i]);
  const orphan = madeUp({ main: '  g 0-5\nf 7-9' }).tracks[0]!;
  assert.equal(orphan.rows[1]!.callers[0], NONE);
});

test('texts, events, slices, counters, marks and losses come with their times', () => {
  const pieces: Uint8Array[] = [];
  const writer = new ColumnsWriter((bytes) => pieces.push(bytes.slice()), { name: 'x' });
  writer.defineTrack({ name: 'node', tid: 1, pid: 1, process: 'node' });
  writer.defineFunction({ name: 'f', package: '', file: '', line: 0, column: 0, where: '', isOwn: true });
  writer.defineInstant({ system: 'http', name: 'server_request_start' });
  writer.defineSlice({ name: 'request' });
  writer.defineCounter({ name: 'heap', unit: 'bytes', pid: 1 });
  const call = {
    track: 0,
    func: 0,
    depth: 0,
    start: 5,
    duration: 10,
    inside: 0,
    call: 12,
    flags: 0,
    args: 'ä=1',
    result: '"x"',
    activation: NONE,
  };
  writer.call(call);
  writer.call({ ...call, start: 20, call: 10, args: '', result: '"x"' });
  writer.instant(0, 0, 7, 3, 'url=/');
  writer.instant(0, 0, 6, -3, 'url=/');
  writer.slice({ kind: 0, track: 0, start: 6, duration: 3, context: 9, title: 'GET /', request: 4 });
  writer.call({ ...call, start: 40, flags: CALL_FLAGS.suspended, activation: 5 });
  writer.counter(0, 8, 1.5);
  writer.mark(0, 9, 'here');
  writer.loss(0, 30, -1);
  writer.end({ application: '', warnings: ['a'], hits: [[0, 3]] });
  const reader = new ColumnsReader();
  for (const piece of pieces) reader.push(piece);
  const recording = reader.finish();
  const row = recording.tracks[0]!.rows[0]!;
  assert.deepEqual([row.callTime(0), row.callTime(1)], [12, 10]);
  assert.deepEqual([recording.texts.at(row.arguments![0]!), recording.texts.at(row.arguments![1]!)], ['ä=1', '']);
  assert.equal(recording.texts.at(row.results![1]!), '"x"');
  const { instants } = recording.tracks[0]!;
  assert.deepEqual(
    [[...instants.times.all], [...instants.contexts.all]],
    [
      [7, 6],
      [3, -3],
    ],
  );
  assert.equal(recording.texts.at(instants.texts.at(1)), 'url=/');
  assert.equal(recording.slices.count, 1);
  assert.equal(recording.slices.requests.at(0), 4);
  assert.deepEqual([...row.activations!.slice(0, 3)], [NONE, NONE, 5]);
  assert.deepEqual(recording.slice(0), { kind: 0, track: 0, start: 6, duration: 3, context: 9, title: 'GET /' });
  assert.deepEqual([recording.counters[0]!.times.at(0), recording.counters[0]!.values.at(0)], [8, 1.5]);
  assert.deepEqual(recording.marks, [{ track: 0, time: 9, text: 'here' }]);
  assert.deepEqual(recording.losses, [{ track: 0, time: 30, count: -1 }]);
  assert.deepEqual(recording.end?.hits, [[0, 3]]);
});

test('what is no recording, and one that ends too early, are refused', () => {
  const pieces = madeUpBytes({ main: 'f 0-1' });
  const reader = new ColumnsReader();
  for (const piece of pieces.slice(0, -1)) reader.push(piece);
  assert.throws(() => reader.finish(), ColumnsError);
  assert.throws(() => new ColumnsReader().push(new Uint8Array(100)), /no recording/);
});
