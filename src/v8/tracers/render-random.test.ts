import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderValue } from './render.js';
import { plainRender } from './testing/plain-render.js';
import { textLimits } from './text-limits.js';
import { ValueText } from './value-text.js';

/** mulberry32 */
const randomOf = (seed: number) => (below: number) => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), seed | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) % below;
};

const SEED = Number(process.env.SEED ?? 1);
const random = randomOf(SEED);
const pick = <T>(values: readonly T[]): T => values[random(values.length)]!;

const CHARACTERS = [
  'a',
  'b',
  'Z',
  '0',
  ' ',
  '"',
  '\\',
  '\n',
  '\t',
  '\r',
  '\0',
  '\x1b',
  '\x7f',
  '\x85',
  'ä',
  '€',
  '\u2028',
  '\ud83d',
  '\ude00',
  '😀',
];
const anyText = (): string => Array.from({ length: pick([0, 1, 3, 8, 20, 38, 40, 41, 60]) }, () => pick(CHARACTERS)).join('');
const asciiText = (): string =>
  'abcdefghijklmnopqrstuvwxyz'.repeat(3).slice(0, pick([0, 1, 7, 8, 9, 15, 16, 24, 25, 39, 40, 41, 70]));
const anyName = (): string => (random(4) === 0 ? anyText() : asciiText());

/** Integers around every number of digits and every power of two, and others. */
const anyNumber = (): number => {
  const integer = (random(2) === 0 ? 10 ** random(16) : 2 ** random(54)) + random(3) - 1;
  return pick([
    integer,
    -integer,
    random(1000),
    random(0x7fffffff),
    -random(0x7fffffff),
    0,
    -0,
    1.5,
    NaN,
    Infinity,
    1e21,
    2 ** 31,
    -(2 ** 31),
  ]);
};

/** Classes whose objects mostly have the same keys, as those of a program do. */
const CLASSES = Array.from({ length: 12 }, () => {
  const name = anyName();
  const Class = { [name]: class {} }[name]!;
  const keys = Array.from({ length: random(6) }, anyName);
  return () => Object.assign(new Class(), Object.fromEntries(keys.map((key) => [key, anyValue(2)])));
});
const inherited = Object.assign(Object.create({ below: 1 }), { own: 2 });

const anyObject = (depth: number): object => {
  const object: object = pick([
    ...CLASSES,
    () => ({}),
    () => Object.create(null),
    () => Object.create(inherited),
    () => new Proxy({}, {}),
    () => Object.fromEntries(Array.from({ length: pick([2, 63, 64, 65]) }, (_, i) => [`key${i}`, i])),
  ])();
  if (random(4) === 0) Object.assign(object, { [anyName()]: anyValue(depth + 1), [random(3)]: anyValue(depth + 1) });
  if (random(8) === 0)
    Object.defineProperty(object, anyName(), { get: () => assert.fail('a getter ran'), enumerable: true, configurable: true });
  return object;
};

function anyValue(depth = 0): unknown {
  const kinds = [
    anyNumber,
    anyNumber,
    anyText,
    asciiText,
    () => pick([true, false, null, undefined]),
    () => BigInt(random(1000)),
    () => Symbol(anyText()),
  ];
  if (depth > 2) return pick(kinds)();
  return pick([
    ...kinds,
    () => anyObject(depth),
    () => anyObject(depth),
    () => Array.from({ length: random(6) }, () => anyValue(depth + 1)),
    () => Object.defineProperty(() => 1, 'name', { value: anyText() }),
    () => Object.assign(new Array(random(6)), { [random(3)]: 1 }),
  ])();
}

test(`values of every kind, at any place of a record, as the plain implementation writes them (SEED=${SEED})`, () => {
  const out = new ValueText();
  const bytes = new Uint8Array(new SharedArrayBuffer(256));
  for (let i = 0; i < 20_000; i++) {
    const value = anyValue();
    const start = random(8);
    bytes.fill(0xee);
    out.start(bytes, start);
    renderValue(out, value);
    assert.equal(Buffer.from(bytes.subarray(start, out.end)).toString(), plainRender(value));
    const around = [...bytes.subarray(0, start), ...bytes.subarray(start + textLimits.value)];
    assert.ok(
      around.every((byte) => byte === 0xee),
      'nothing is written outside of the room that a value has',
    );
  }
});
