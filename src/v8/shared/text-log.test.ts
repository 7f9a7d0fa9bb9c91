import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LinkEvent } from '../loader/link-event.js';
import { TextLog } from './text-log.js';

const text = (n: number, bytes = 8): LinkEvent => ({
  file: `/srv/größe-${n}-\ud800.js`,
  module: '@scope/name',
  length: 40,
  base: 0xfffffff0,
  firstFunction: n,
  functionCount: 1,
  sourceMappingURL: 'x.js.map',
  placement: { lines: 1, columns: 2, units: 3 },
  functions: new Uint8Array(bytes).fill(n),
});

const logOf = (): { writer: TextLog; reader: TextLog } => {
  const memory = TextLog.create();
  return { writer: new TextLog(memory), reader: new TextLog(memory) };
};

test('texts come out as they were put in, in their order', () => {
  const { writer, reader } = logOf();
  assert.equal(reader.take(), undefined);
  assert.ok(writer.put(text(1)));
  assert.ok(writer.put(text(2)));
  assert.deepEqual(reader.take(), text(1));
  assert.deepEqual(reader.take(), text(2));
  assert.equal(reader.take(), undefined);
});

test('a full log takes no more until something was read, and goes on at its beginning', () => {
  const { writer, reader } = logOf();
  assert.equal(writer.put(text(0, 1 << 20)), false);
  for (let round = 0; round < 5; round++) {
    let put = 0;
    while (writer.put(text(put, 150_001))) put++;
    assert.equal(put, 6);
    for (let n = 0; n < put; n++) assert.deepEqual(reader.take(), text(n, 150_001));
  }
  assert.equal(reader.take(), undefined);
});

test('positions go round', () => {
  const memory = TextLog.create();
  new Int32Array(memory, 0, 2).fill(-100);
  const [writer, reader] = [new TextLog(memory), new TextLog(memory)];
  for (let n = 0; n < 3; n++) {
    assert.ok(writer.put(text(n)));
    assert.deepEqual(reader.take(), text(n));
  }
});

test('what the program puts on Object.prototype does not come along', (t) => {
  const { writer, reader } = logOf();
  Object.defineProperty(Object.prototype, 'toJSON', { value: () => 'changed', configurable: true });
  t.after(() => Reflect.deleteProperty(Object.prototype, 'toJSON'));
  writer.put(text(1));
  assert.deepEqual(reader.take()?.placement, text(1).placement);
  assert.equal(reader.take(), undefined);
});
