import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { test } from 'node:test';
import {
  behindStart,
  bitsOf,
  charOf,
  elementOf,
  FAULT,
  integerOf,
  integersOf,
  memberOf,
  shownOf,
  stringOf,
} from './fetch-values.js';

test('integers are cut to their type as in C', () => {
  assert.equal(integerOf(300.9, 4, false), 300);
  assert.equal(integerOf(-1, 8, false), 2n ** 64n - 1n);
  assert.equal(integerOf(2n ** 64n + 5n, 8, false), 5);
  assert.equal(integerOf(Number.NaN, 4, true), 0);
  assert.equal(integerOf(1e300, 8, true), 0);
  assert.equal(integerOf('12', 4, true), 0);
  assert.equal(integerOf(true, 1, false), 1);
});

test('bits are taken from the lowest on', () => {
  assert.equal(bitsOf(0b1011_0110, 4, 2, 1), 0b1101);
  assert.equal(bitsOf(-1, 64, 0, 8), 2n ** 64n - 1n);
});

test('behind the start of a buffer lie bytes, of an array elements, of a text characters', () => {
  const buffer = Buffer.from([1, 0, 0, 0, 0xff, 0xff, 0x68, 0x69, 0]);
  assert.equal(integerOf(behindStart(buffer, 0), 4, false), 1);
  assert.equal(integerOf(behindStart(buffer, 4), 2, true), -1);
  assert.equal(stringOf(behindStart(buffer, 6)), 'hi');
  assert.equal(behindStart(buffer, 9), FAULT);
  assert.equal(behindStart(buffer, -1), FAULT);
  assert.equal(integerOf(behindStart(buffer, 8), 4, false), 0);
  assert.equal(integerOf(behindStart(new DataView(buffer.buffer, buffer.byteOffset, 4), 0), 4, false), 1);
  assert.equal(behindStart(['a', 'b'], 1), 'b');
  assert.equal(behindStart('tea pot', 4), 'pot');
  assert.equal(behindStart({ length: 3 }, 0), FAULT);
});

test('an array of texts or symbols has the elements of an array; a text is none', () => {
  assert.equal(elementOf(['a', 'b'], 1), 'b');
  assert.equal(elementOf('tea pot', 0), FAULT);
  assert.equal(elementOf(undefined, 0), FAULT);
});

test('no trap of a Proxy is called', () => {
  const traps = new Proxy({}, { get: (_, name) => () => assert.fail(`trap ${String(name)}`) });
  for (const proxy of [new Proxy({}, traps), new Proxy([], traps), new Proxy(() => {}, traps)]) {
    assert.deepEqual([integerOf(proxy, 4, true), stringOf(proxy), integersOf(proxy, 2, 4, false)], [0, '(fault)', []]);
    assert.deepEqual([memberOf(proxy, 'x'), behindStart(proxy, 0), charOf(proxy)], [FAULT, FAULT, 0]);
    assert.match(shownOf(proxy), /^\[(?:Proxy|function)/i);
  }
});

test('a buffer whose memory went to another thread is a fault', () => {
  const detached = new Uint8Array(8);
  structuredClone(detached.buffer, { transfer: [detached.buffer] });
  assert.equal(behindStart(detached, 0), FAULT);
  assert.equal(stringOf(detached), '(fault)');
});

test('arrays of integers come of arrays and of buffers', () => {
  assert.deepEqual(integersOf([1, -2, 'x'], 4, 2, true), [1, -2, 0, 0]);
  assert.deepEqual(integersOf(Uint16Array.of(1, 0xffff), 2, 2, true), [1, -1]);
  assert.deepEqual(integersOf({}, 2, 2, true), []);
});

test('a member may be inherited; Node’s own accessors are called, those of the program are not', () => {
  class Order {
    get total(): number {
      throw new Error('called');
    }
  }
  const order = Object.assign(new Order(), { id: 1 });
  assert.equal(memberOf(order, 'id'), 1);
  assert.equal(memberOf(order, 'total'), FAULT);
  assert.equal(memberOf(order, 'nothing'), undefined);
  const request = new IncomingMessage(new Socket()) as IncomingMessage & {
    _addHeaderLines(lines: string[], count: number): void;
  };
  request._addHeaderLines(['Host', 'a.example'], 2);
  assert.equal(memberOf(memberOf(request, 'headers'), 'host'), 'a.example');
  assert.equal(memberOf(new URL('http://a.example/b'), 'pathname'), '/b');
  assert.equal(memberOf(new Map([[1, 2]]), 'size'), 1);
  assert.equal(memberOf(Buffer.alloc(3), 'length'), 3);
  assert.equal(memberOf('text', 'length'), 4);
});

test('any value has a text, and a character its code', () => {
  assert.deepEqual([undefined, null, 0, -0, 1.5, 'a"b', true, 5n].map(shownOf), [
    'undefined',
    'null',
    '0',
    '-0',
    '1.5',
    '"a\\"b"',
    'true',
    '5n',
  ]);
  assert.equal(shownOf(FAULT), '(fault)');
  assert.equal(charOf('Z'), 90);
});
