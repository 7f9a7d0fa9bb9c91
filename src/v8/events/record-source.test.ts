import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineEvent, type TraceEvent } from '../../events/define.js';
import { array, dynamic, type FieldSpecs, one } from '../../events/fields.js';
import { recordOf } from '../../events/record-of.js';
import { createRingBuffer, RingBufferReader, RingBufferWriter } from '../../ring-buffer/index.js';
import { fitValues } from './fit-values.js';
import { slotNames } from './record-slots.js';
import { writeRecordSource } from './record-source.js';
import { compile, RECORD_HELPERS } from './thread-events.js';

const PID = 4711;

function define<const F extends FieldSpecs>(fields: F): TraceEvent<F> {
  return { ...defineEvent('test', 'event', { fields, print: '""' }), id: 300 };
}

const unexpected = (): never => assert.fail('no record is lost, or printed');

/** Writes a record by generated code, and returns its bytes. */
function write(event: TraceEvent, values: readonly unknown[]): Uint8Array {
  const buffer = createRingBuffer(1 << 16);
  const reader = new RingBufferReader(buffer);
  const writer = new RingBufferWriter(buffer);
  const names = [...slotNames(event).values()];
  const text = [`return function (${names.join(', ')}) {`, fitValues(event), writeRecordSource(event), '}'].join('\n');
  const trace = { pid: PID };
  const env = { flags: new Int32Array(1), printkAt: 0, printk: unexpected, lost: unexpected };
  compile<(...args: unknown[]) => void>(text, { ...RECORD_HELPERS, env, trace, writer, now: 1000 })(...values);
  assert.ok(reader.peek(), 'nothing was written');
  return reader.bytes.slice(reader.payload, reader.payload + reader.length);
}

const hex = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('hex')
    .replace(/(.{8})/g, '$1 ');

test('integers of every width, cut as C cuts them', () => {
  const event = define({
    a: one('u8'),
    b: one('s8'),
    c: one('u16'),
    d: one('int'),
    e: one('unsigned int'),
    f: one('u64'),
    g: one('s64'),
    h: one('bool'),
  });
  const values = { a: 255, b: -1, c: 65535, d: -5, e: 4294967295, f: 2n ** 64n - 1n, g: -(2n ** 60n), h: 1 };
  assert.equal(hex(write(event, Object.values(values))), hex(recordOf(event, { pid: PID }, values)));
  const cut = write(event, [257, 255, 65537, 2 ** 32 - 5, -1, -1, 2 ** 53, true]);
  assert.equal(hex(cut), hex(recordOf(event, { pid: PID }, { ...values, a: 1, c: 1, g: 2 ** 53 })));
});

test('a packed event may say at any byte where its texts lie', () => {
  const fields = { a: one('u8'), name: dynamic('char'), b: one('u16'), tail: dynamic('char') };
  const event = { ...defineEvent('test', 'event', { fields, print: '""', packed: true }), id: 300 };
  const values = { a: 255, name: 'Grüße', b: 65535, tail: 'x' };
  assert.equal(hex(write(event, Object.values(values))), hex(recordOf(event, { pid: PID }, values)));
});

test('texts and arrays stand behind the fixed fields, in their order', () => {
  const event = define({ n: one('int'), name: dynamic('char'), ids: dynamic('u64'), tail: dynamic('char') });
  const values = { n: 7, name: 'Grüße', ids: [1, 2n ** 63n], tail: '' };
  assert.equal(hex(write(event, [7, 'Grüße', [1, 2n ** 63n], ''])), hex(recordOf(event, { pid: PID }, values)));
});

test('arrays in the fixed part are filled with zeros, and texts cut where a character ends', () => {
  const event = define({ comm: array('char', 8), counts: array('u16', 3), last: one('u8') });
  const values = { comm: 'äöü', counts: [1, 65535, 0], last: 9 };
  assert.equal(hex(write(event, ['äöüß', [1, 65535], 9])), hex(recordOf(event, { pid: PID }, values)));
});

test('what is not of the type becomes 0, a short text, or nothing; none of the program’s code runs', () => {
  const event = define({ n: one('int'), big: one('u64'), text: dynamic('char'), list: dynamic('int') });
  const trap = new Proxy([1], {
    get() {
      throw new Error('ran');
    },
  });
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const nasty = {
    get valueOf(): never {
      throw new Error('ran');
    },
  };
  const rows: readonly (readonly [unknown, string])[] = [
    [undefined, '(null)'],
    [Symbol('s'), 'Symbol(s)'],
    [10n, '10'],
    [{ a: 1 }, '{a: 1}'],
    [proxy, '[Proxy]'],
    [trap, '[Proxy]'],
    [nasty, '{valueOf: [getter]}'],
  ];
  for (const [value, text] of rows) {
    const record = write(event, [value, value, value, value]);
    const expected = recordOf(event, { pid: PID }, { n: value === 10n ? 10 : 0, big: value === 10n ? 10 : 0, text, list: [] });
    assert.equal(Buffer.from(record).toString('latin1'), Buffer.from(expected).toString('latin1'), String(text));
  }
});

test('of an array only what it has as values is recorded; none of the program’s code runs', () => {
  const event = define({ list: dynamic('u8'), fixed: array('s64', 3) });
  const ran = (): never => {
    throw new Error('ran');
  };
  class Derived extends Array {
    get 0(): never {
      return ran();
    }
  }
  const rows: readonly (readonly [unknown, readonly number[]])[] = [
    [Object.defineProperty([1, 2, 3], 1, { get: ran }), [1, 0, 3]],
    [new Derived(3), [0, 0, 0]],
    [
      Object.setPrototypeOf(Object.assign(new Array(4), { 0: 1, 1: 2, 3: 4 }), new Proxy({}, { get: ran, has: ran })),
      [1, 2, 0, 4],
    ],
    [Object.defineProperty(new Uint8Array([5, 6]), 'length', { get: ran }), [5, 6]],
    [Object.setPrototypeOf(new Uint8Array([5, 6]), null), [5, 6]],
    [Object.assign(new DataView(new ArrayBuffer(8)), { length: 3, 0: 1 }), []],
  ];
  for (const [list, elements] of rows) {
    const expected = recordOf(event, { pid: PID }, { list: elements, fixed: [...elements, 0, 0, 0].slice(0, 3) });
    assert.equal(hex(write(event, [list, list])), hex(expected), String(elements));
  }
  const detached = new Uint8Array([1, 2, 3]);
  structuredClone(detached.buffer, { transfer: [detached.buffer] });
  const empty = recordOf(event, { pid: PID }, { list: [], fixed: [0, 0, 0] });
  assert.equal(hex(write(event, [detached, detached])), hex(empty));
});

test('a record fits into a page, whatever its texts', () => {
  const event = define({ a: dynamic('char'), b: dynamic('char') });
  const record = write(event, ['x'.repeat(1e6), '€'.repeat(1e6)]);
  assert.ok(record.length <= 3100 && record.length > 3000, `${record.length} bytes`);
});

test('texts of one record may be ASCII or not, at any byte, with an empty end of the structure between', () => {
  const event = define({ wide: one('u64'), a: dynamic('char'), b: dynamic('char'), n: one('int') });
  assert.ok(event.size > event.end, 'the structure has an end without fields');
  for (const a of ['', 'a', 'ab', 'abc', 'abcd', 'ü', 'abcdefgü', 'x'.repeat(200), '€'.repeat(200)]) {
    for (const b of ['', 'abcdefgh', 'é', 'abcdefg😀']) {
      const values = { wide: 2 ** 40, a, b, n: -1 };
      const expected = hex(recordOf(event, { pid: PID }, values));
      assert.equal(hex(write(event, Object.values(values))), expected, `${a} ${b}`);
    }
  }
});
