import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../base/testing/random.js';
import { C_TYPES, type CType, type Long } from './c-types.js';
import { defineEvent, type TraceEvent } from './define.js';
import { array, dynamic, type FieldSpecs, one, rest } from './fields.js';
import { FTRACE_EVENTS } from './ftrace-events.js';
import { recordOf } from './record-of.js';
import { randomValues, readValues } from './testing/random-values.js';

const event = <const F extends FieldSpecs>(fields: F): TraceEvent<F> => ({
  ...defineEvent('test', 'sample', { fields, print: '""' }),
  id: 2000,
});

const TYPES = Object.keys(C_TYPES) as CType[];
const ofEachType = (shape: (type: CType) => FieldSpecs[string]): FieldSpecs =>
  Object.fromEntries(TYPES.map((type) => [type.replace(/\W/g, '_'), shape(type)]));

const EVENTS: readonly TraceEvent[] = [
  ...Object.values(FTRACE_EVENTS),
  event(ofEachType(one)),
  event(ofEachType((type) => array(type, 5))),
  event(ofEachType(dynamic)),
  event({ a: one('u8'), text: dynamic('char'), b: one('u64'), list: dynamic('u16'), comm: array('char', 16), tail: one('u8') }),
];

test('any values of any type are read from a record as they were written', () => {
  const random = seededRandom(1);
  for (const one of EVENTS) {
    for (let i = 0; i < 200; i++) {
      const values = randomValues(one, random);
      const at = random(3);
      const record = recordOf(one, { pid: 4711, flags: 1 }, values);
      const bytes = new Uint8Array(at * 4 + record.length + 8).fill(0xff);
      bytes.set(record, at * 4);
      assert.deepEqual(readValues(one, { bytes, at, size: record.length }), values, one.name);
    }
  }
});

test('the header says which event it is, its flags and whose', () => {
  const view = new DataView(recordOf(FTRACE_EVENTS.function, { pid: -5, flags: 0x81 }, { ip: 1, parent_ip: 2n }).buffer);
  assert.deepEqual([view.getUint16(0, true), view.getUint8(2), view.getUint8(3), view.getInt32(4, true)], [1, 0x81, 0, -5]);
});

test('dynamic fields stand behind the others, in order, and say where', () => {
  const sample = event({ name: dynamic('char'), list: dynamic('u32'), n: one('int') });
  const record = recordOf(sample, { pid: 1 }, { name: 'ab', list: [7, 8], n: 3 });
  const view = new DataView(record.buffer);
  assert.equal(sample.size, 20);
  assert.equal(view.getUint32(8, true), 20 | (3 << 16));
  assert.equal(view.getUint32(12, true), 23 | (8 << 16));
  assert.equal(Buffer.from(record.subarray(20, 23)).toString(), 'ab\0');
  assert.equal(record.length, 32);
});

test('a text that is too long for its array is cut, and ends', () => {
  const sample = event({ comm: array('char', 4), after: one('u8') });
  const record = recordOf(sample, { pid: 1 }, { comm: 'abcdef', after: 9 });
  assert.deepEqual([...record.subarray(8)], [97, 98, 99, 0, 9, 0, 0, 0]);
});

test('integers are cut to their size, negative ones and fractions too', () => {
  const sample = event({ a: one('u8'), b: one('s64'), c: one('u64') });
  const read = (a: number, b: Long, c: Long) => {
    const record = recordOf(sample, { pid: 1 }, { a, b, c });
    return readValues(sample, { bytes: record, at: 0, size: record.length });
  };
  assert.deepEqual(read(257, -1, 2 ** 40 + 0.75), { a: 1, b: -1, c: 2 ** 40 });
  assert.deepEqual(read(0, -(2n ** 63n), -1n), { a: 0, b: -(2n ** 63n), c: 2n ** 64n - 1n });
});

test('what a record is too short for reads as 0, or as nothing', () => {
  const sample = event({ n: one('u32'), text: dynamic('char'), bytes: rest('char') });
  assert.deepEqual(readValues(sample, { bytes: new Uint8Array(64).fill(1), at: 0, size: 8 }), {
    n: 0,
    text: '',
    bytes: new Uint8Array(0),
  });
});
