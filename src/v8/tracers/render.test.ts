import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderValue } from './render.js';
import { textLimits } from './text-limits.js';
import { ValueText } from './value-text.js';

/** What `write` appends. */
const written = (write: (out: ValueText) => void): string => {
  const bytes = new Uint8Array(200);
  const out = new ValueText();
  out.start(bytes, 0);
  write(out);
  return Buffer.from(bytes.subarray(0, out.end)).toString();
};
const textOf = (value: unknown): string => written((out) => renderValue(out, value));

class Order {
  id = 1;
}

test('values as a person would want them', () => {
  const expected: [unknown, string][] = [
    [undefined, 'undefined'],
    [null, 'null'],
    [true, 'true'],
    [-0, '-0'],
    [1.5, '1.5'],
    [NaN, 'NaN'],
    [12n, '12n'],
    [10n ** 40n, '[bigint]'],
    ['a "b"\n', '"a \\"b\\"\\n"'],
    ['x'.repeat(50), `"${'x'.repeat(40)}…"`],
    [Symbol('s'), 'Symbol(s)'],
    [Symbol.iterator, 'Symbol(Symbol.iterator)'],
    [function named() {}, '[function named]'],
    [() => 1, '[function]'],
    [Order, '[function Order]'],
    [[1, 'b', [2]], '[1, "b", [… 1]]'],
    [[], '[]'],
    // biome-ignore lint/suspicious/noSparseArray: a hole is what is shown here
    [[1, , 3, 4], '[1, , 3, … of 4]'],
    [{ a: 1, list: [1, 2], of: { b: 2 } }, '{a: 1, list: [… 2], of: {…}}'],
    [{ a: 1, b: 2, c: 3, d: 4 }, '{a: 1, b: 2, c: 3, …}'],
    [Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`k${i}`, i])), '{…}'],
    [Object.create(null), '{}'],
    [new Order(), 'Order{id: 1}'],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
    [new Date(NaN), 'Invalid Date'],
    [new Map([[1, 2]]), 'Map(1)'],
    [new Set(), 'Set(0)'],
    [Buffer.from('abc'), 'Buffer(3)'],
    [new Float64Array(2), 'Float64Array(2)'],
    [new TypeError('bad'), 'TypeError: "bad"'],
    [Promise.resolve(1), 'Promise{}'],
    [/a+/g, '/a+/'],
    [new Proxy({}, {}), '[Proxy]'],
    [new Proxy(() => 1, {}), '[Proxy]'],
  ];
  for (const [value, text] of expected) assert.equal(textOf(value), text);
});

test('nothing of the program runs', () => {
  const ran = (): never => {
    throw new Error('ran');
  };
  const trap = new Proxy({}, { get: ran, has: ran, ownKeys: ran, getPrototypeOf: ran, getOwnPropertyDescriptor: ran });
  const getter = { get: ran, enumerable: true, configurable: true };
  const accessors = Object.defineProperties({}, { constructor: getter, message: getter, name: getter, toString: getter });
  const named = Object.defineProperty(() => 1, 'name', getter);
  class Sneaky extends Map {
    override get size(): number {
      return ran();
    }
    static override get [Symbol.species](): never {
      return ran();
    }
    static override get [Symbol.hasInstance](): never {
      return ran();
    }
  }
  const error = Object.defineProperty(new Error('x'), 'message', getter);
  const values = [
    trap,
    [trap],
    accessors,
    Object.create(accessors),
    Object.create(trap),
    named,
    new Sneaky(),
    error,
    { toString: ran, valueOf: ran, [Symbol.toPrimitive]: ran, toJSON: ran },
    Object.assign(new Date(0), { toISOString: ran, getTime: ran }),
    Object.defineProperty(/x/, 'source', getter),
    Object.defineProperty(new Uint8Array(1), 'length', getter),
  ];
  for (const value of values) assert.equal(typeof textOf(value), 'string');
  assert.equal(textOf(accessors), '{constructor: [getter], message: [getter], name: [getter], …}');
});

test('the kind of an object is determined again if its prototype does not tell', () => {
  class Failure extends Error {}
  class Place {
    x = 1;
  }
  for (let round = 0; round < 2; round++) {
    for (const { prototype } of [Date, Map, Set, RegExp, Promise, Failure, Uint8Array]) textOf(Object.create(prototype));
    assert.equal(textOf(new Date(0)), '1970-01-01T00:00:00.000Z');
    assert.equal(textOf(new Map([[1, 2]])), 'Map(1)');
    assert.equal(textOf(new Failure('bad')), 'Failure: "bad"');
    assert.equal(textOf(new Uint8Array(2)), 'Uint8Array(2)');
    assert.equal(textOf(new Place()), 'Place{x: 1}');
    assert.equal(textOf(Object.assign(new Place(), { x: 2, y: new Place() })), 'Place{x: 2, y: Place{…}}');
    assert.equal(textOf(new Proxy(new Place(), {})), '[Proxy]');
  }
  const odd = Object.setPrototypeOf(new Map(), Place.prototype);
  assert.equal(textOf(odd), 'Place{}', 'a Map that was given the prototype of another class');
});

test('built-ins that the program replaces change nothing', () => {
  const { toISOString } = Date.prototype;
  const { slice } = String.prototype;
  try {
    Date.prototype.toISOString = () => 'replaced';
    String.prototype.slice = () => 'replaced';
    assert.equal(textOf(new Date(0)), '1970-01-01T00:00:00.000Z');
    assert.equal(textOf('x'.repeat(41)), `"${'x'.repeat(40)}…"`);
  } finally {
    Date.prototype.toISOString = toISOString;
    String.prototype.slice = slice;
  }
});

test('what the program has put onto Object.prototype is not met in descriptors', () => {
  const names = ['get', 'set', 'value'];
  const values = [{ a: 1 }, [1], Object.defineProperty({}, 'a', { get: () => 1, enumerable: true }), class Named {}, new Order()];
  const takeAway = (): void => {
    for (const name of names) delete (Object.prototype as Record<string, unknown>)[name];
  };
  let texts: string[] = [];
  let ran = 0;
  const bytes = new Uint8Array(200);
  const out = new ValueText();
  const descriptor = Object.assign(Object.create(null), { get: () => ++ran, configurable: true });
  for (const name of names) Object.defineProperty(Object.prototype, name, descriptor);
  try {
    texts = values.map((value) => {
      out.start(bytes, 0);
      return renderValue(out, value) && String.fromCharCode(...bytes.subarray(0, out.end));
    });
  } finally {
    takeAway();
  }
  assert.deepEqual(texts, ['{a: 1}', '[1]', '{a: [getter]}', '[function Named]', 'Order{id: 1}']);
  assert.equal(ran, 0);
});

test('text is cut where a character ends', () => {
  const write = (text: string): string => written((out) => out.add(text));
  assert.equal(write('aä€😀'), 'aä€😀');
  assert.equal(write('\ud800x'), '\ufffdx', 'half a surrogate pair');
  assert.equal(write('€'.repeat(100)), '€'.repeat(textLimits.value / 3));
  assert.equal(write(`a${'€'.repeat(100)}`), `a${'€'.repeat(textLimits.value / 3 - 1)}`);
});

test('what follows a character that does not fit is left out', () => {
  const text = written((out) => {
    out.add('a');
    out.add('€'.repeat(100));
    out.add('b');
    out.addQuoted('c', 1);
  });
  assert.equal(text, `a${'€'.repeat(textLimits.value / 3 - 1)}`);
});

test('no name breaks the line that shows it, or reaches the terminal as a command', () => {
  const name = 'a\nb\x1b[31m\u2028';
  const { [name]: Named } = { [name]: class {} };
  for (const value of [
    { [name]: 1 },
    Named,
    new Named!(),
    Symbol(name),
    Object.defineProperty(() => {}, 'name', { value: name }),
  ]) {
    assert.doesNotMatch(textOf(value), /[\p{Cc}\u2028]/u);
  }
});
