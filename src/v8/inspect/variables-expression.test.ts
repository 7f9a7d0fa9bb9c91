import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { VARIABLES_EXPRESSION } from './variables-expression.js';

const read = new Function('require', `return ${VARIABLES_EXPRESSION}`)(createRequire(import.meta.url)) as (
  scope: object,
) => string;
const textOf = (value: unknown): string => (JSON.parse(read({ value })) as [[string, string]])[0][1];

class Cart {
  items = [1];
}

const CASES: readonly (readonly [unknown, string])[] = [
  [201, '201'],
  [-0, '-0'],
  [12n, '12n'],
  [undefined, 'undefined'],
  [null, 'null'],
  ['a "b"\n', '"a \\"b\\"\\n"'],
  ['x'.repeat(300), `"${'x'.repeat(200)}…"`],
  [Symbol('s'), 'Symbol(s)'],
  [Cart, '[function Cart]'],
  [() => 1, '[function]'],
  [new Cart(), 'Cart{items: [1]}'],
  [{ id: 1, deep: { more: { most: {} } } }, '{id: 1, deep: {more: {…}}}'],
  [[1, [2, [3]]], '[1, [2, [… 1]]]'],
  [Array(20).fill(0), '[0, 0, 0, 0, 0, 0, 0, 0, … 12 more]'],
  [Object.create(null), '{}'],
  [new Map([[1, 2]]), 'Map(1)'],
  [Buffer.from('abc'), 'Buffer(3)'],
  [new Date(0), '1970-01-01T00:00:00.000Z'],
  [/a+/g, '/a+/'],
  [Promise.resolve(1), 'Promise{}'],
  [new TypeError('no'), 'TypeError: "no"'],
];

for (const [value, text] of CASES) test(`a value that is shown as ${text}`, () => assert.equal(textOf(value), text));

test('nothing of the program is called', () => {
  const called: unknown[] = [];
  const note = (): never => {
    called.push(new Error().stack);
    throw new Error('called');
  };
  const trap = new Proxy({}, new Proxy({}, { get: note }));
  class Odd extends Error {
    override get stack(): string {
      return note();
    }
    override get message(): string {
      return note();
    }
  }
  const scope = {
    proxy: trap,
    inherits: Object.create(trap),
    odd: new Odd('x'),
    get guarded() {
      return note();
    },
    holder: {
      get member() {
        return note();
      },
      toString: note,
      toJSON: note,
      [Symbol.toPrimitive]: note,
      [Symbol.for('nodejs.util.inspect.custom')]: note,
    },
  };
  const texts = Object.fromEntries(JSON.parse(read(scope)) as [string, string][]);
  assert.deepEqual(called, []);
  assert.equal(texts['proxy'], '[Proxy]');
  assert.equal(texts['guarded'], '(unavailable)');
  assert.match(texts['holder']!, /^\{member: \[getter\], toString: \[function note\]/);
});
