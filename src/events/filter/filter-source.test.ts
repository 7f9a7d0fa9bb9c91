import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../base/testing/random.js';
import { evaluate } from './evaluate.js';
import { filterSource } from './filter-source.js';
import type { Operand } from './operand.js';
import { parseFilter } from './parse-filter.js';
import { compiled } from './testing/compiled.js';
import { SAMPLE } from './testing/sample.js';

const source = (filter: string): string =>
  filterSource(parseFilter(SAMPLE, filter), {
    operand: (operand) => ('name' in operand ? operand.name : operand.from),
    constant: (value) => (typeof value === 'function' ? value.name || 'glob' : String(value)),
  });

test('a filter is an expression of plain comparisons', () => {
  assert.equal(source('a == 1'), 'a === 1');
  assert.equal(source('!(c < 300)'), '!(c < 44)');
  assert.equal(source('a == 1 && b > 5'), '(a === 1 && b > 5)');
  assert.equal(source('a == 1 && (c >= 2 || d == 3) || CPU != 0'), '((a === 1 && (c >= 2 || d === 3)) || cpu !== 0)');
  assert.equal(source('f & 0x80000001'), '(f & -2147483647) !== 0');
  assert.equal(source('b == 18446744073709551615 && e != -1'), '(b == 18446744073709551615n && e != -1)');
  assert.equal(source('b & 0x100000002'), 'hasBits(b, 2, 1, 4294967298n)');
  assert.equal(source('at >= 0xffffffff81000000'), '(at < 0 && at >= -2130706432)');
  assert.equal(source('at >= 0x1000'), '(at < 0 || at >= 4096)');
  assert.equal(source('ip4 == 1'), 'packed(ip4, 8, "u32") == 1');
  assert.equal(source('triple == 1 || a == 2'), '(false || a === 2)');
});

test('texts are compared directly where they can be', () => {
  assert.equal(source('name == "x" && comm != "y"'), '(name === "x" && comm !== "y")');
  assert.equal(source('name ~ "x*" || name ~ "!*y"'), '(hasFront(name, "x") || !(hasEnd(name, "y")))');
  assert.equal(source('comm ~ "*z*"'), 'hasPart(comm, "z")');
  assert.equal(source('name ~ "a*b"'), 'hasShape(name, glob)');
  assert.equal(source('label != "x"'), '(typeof label === "string" && !(label === "x"))');
});

test('no text of a filter gets out of its literal', () => {
  const hostile = '\\"); throw 1; //$' + '{throw 2}`\u2028\n\r\\';
  for (const filter of [`name == '${hostile}'`, `name ~ '*${hostile}'`, `name ~ '${hostile}?'`, `comm ~ '*${hostile}*'`]) {
    const filtered = compiled(parseFilter(SAMPLE, filter));
    assert.equal(typeof filtered(() => 'x'), 'boolean', filter);
  }
  assert.equal(
    compiled(parseFilter(SAMPLE, `name == '${hostile}'`))(() => hostile),
    true,
  );
});

test('a value that is no text passes no comparison with one, and throws nothing', () => {
  for (const value of [undefined, null, 1, 2n, {}, Symbol('x')]) {
    for (const filter of ['label == "x"', 'label != "x"', 'label ~ "*"', 'label ~ "!x*"', 'name == "x"', 'name ~ "*x*"']) {
      const program = parseFilter(SAMPLE, filter);
      assert.deepEqual([compiled(program)(() => value), evaluate(program, () => value)], [false, false], filter);
    }
  }
});

const INTEGERS = [0, 1, -1, 2, 44, 127, 128, 255, -128, 0x7fffffff, -0x80000000];
const LONGS = [0, 1, 44, 2 ** 32, 2 ** 53 - 1, 2n ** 53n, 2n ** 63n - 1n];
const TEXTS = [
  '',
  'a',
  'ab',
  'abc',
  'xabcx',
  'abcdefghijklmno',
  'abcdefghijklmnop',
  'ääääääää',
  'abcdefghijklmn😀',
  '9a',
  'bash',
];
const PATTERNS = [
  ...TEXTS,
  '*',
  '**',
  'a*',
  '*c',
  '*b*',
  '*no',
  '*op',
  '*mn*',
  'a*o',
  '?b*',
  '[a-c]*',
  '!a*',
  '!*c',
  '9*',
  '*ä',
  '*😀*',
];

test('the expression of any filter says what the program says', () => {
  const random = seededRandom(8);
  const pick = <T>(from: readonly T[]): T => from[random(from.length)]!;
  const integer = (): string => {
    const name = pick(['a', 'b', 'c', 'd', 'e', 'f', 'at', 'ip4', 'pair', 'triple', 'cpu', 'common_flags']);
    const values = [...INTEGERS, ...LONGS].filter((value) => value >= 0 || /^[ade]$/.test(name));
    const upper = name === 'at' || name === 'b' ? ['0xffffffff81000000', '0xffffffffffffffff', '0x8000000000000000'] : [];
    return `${name} ${pick(['==', '!=', '<', '<=', '>', '>=', '&'])} ${pick([...values, ...upper])}`;
  };
  const text = (): string => {
    const name = pick(['comm', 'name', 'label', 'buf', 'COMM']);
    return random(2) === 0 ? `${name} ~ "${pick(PATTERNS)}"` : `${name} ${pick(['==', '!='])} "${pick(TEXTS)}"`;
  };
  const filter = (depth: number): string => {
    const terms = Array.from({ length: 1 + random(3) }, () => {
      const not = random(4) === 0 ? '!' : '';
      return depth > 0 && random(2) === 0 ? `${not}(${filter(depth - 1)})` : `${not}${random(3) === 0 ? text() : integer()}`;
    });
    return terms.reduce((all, term) => `${all} ${pick(['&&', '||'])} ${term}`);
  };
  const small = (low: number, high: number): number => pick(INTEGERS.filter((value) => low <= value && value <= high));
  const valuesOf = (): Readonly<Record<string, unknown>> => ({
    a: small(-(2 ** 31), 2 ** 31),
    b: pick([...LONGS, 2n ** 64n - 1n, 0xffffffff81000000n]),
    c: small(0, 255),
    d: small(-128, 127),
    e: pick([...LONGS, -1, -(2n ** 63n), -(2 ** 40) - 3]),
    f: pick([...INTEGERS.filter((value) => value >= 0), 0xffffffff]),
    at: pick([0, 0x1000, -0x7f000000, -1, -0x7effff00]),
    comm: pick(TEXTS),
    name: pick(TEXTS),
    label: pick([...TEXTS, undefined]),
    buf: pick(TEXTS),
    ip4: pick([
      [127, 0, 0, 1],
      [1, 0, 0, 0],
      [255, 255, 255, 255],
    ]),
    pair: pick([
      [1, 0],
      [-1, -1],
      [0, 1],
    ]),
    triple: [1, 2, 3],
    cpu: random(3),
    common_flags: small(0, 255),
    COMM: pick(TEXTS),
  });
  const results = [0, 0];
  for (let i = 0; i < 5000; i++) {
    const written = filter(3);
    const program = parseFilter(SAMPLE, written);
    const expression = compiled(program);
    for (let j = 0; j < 3; j++) {
      const values = valuesOf();
      const read = (operand: Operand): unknown => {
        if ('name' in operand) return values[operand.name];
        return operand.from === 'cpu' ? values.cpu : values.COMM;
      };
      const result = evaluate(program, read);
      assert.equal(expression(read), result, written);
      results[Number(result)]!++;
    }
  }
  assert.ok(Math.min(...results) > 3000);
});
