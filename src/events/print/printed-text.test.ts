import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineEvent, type TraceEvent, type ValuesOf } from '../define.js';
import { array, dynamic, type FieldSpecs, one } from '../fields.js';
import { formatFile } from '../format-file.js';
import { parseFormat } from '../format-parse.js';
import { FTRACE_EVENTS } from '../ftrace-events.js';
import { recordOf } from '../record-of.js';
import { SAMPLE_EVENTS } from '../testing/sample-events.js';
import { compilePrint, printedText } from './printed-text.js';
import type { PrintDialect } from './values.js';

const DIALECT: PrintDialect = {
  symbol: (address, withOffset) => `<${address}${withOffset ? '+' : ''}>`,
  pointer: (bits) => `*${bits.toString(16)}`,
  array: (elements) => `{${elements}}`,
};

/** What an event prints of values, from its definition and from its format file alike. */
function textOf<const F extends FieldSpecs>(fields: F, print: string, values: ValuesOf<TraceEvent<F>>): string {
  const event: TraceEvent<F> = { ...defineEvent('test', 'sample', { fields, print }), id: 2000 };
  const bytes = recordOf(event, { pid: 1 }, values);
  const record = { bytes, at: 0, size: bytes.length };
  const text = printedText(event, DIALECT)(record);
  assert.equal(printedText(parseFormat('test', formatFile(event)), DIALECT)(record), text);
  return text;
}

const print = (format: string, ...args: readonly string[]): string => [JSON.stringify(format), ...args].join(', ');
/** What an expression of a u32 field `n` is, as `%lld` shows it. */
const evaluate = (expression: string, n = 0): string => textOf({ n: one('u32') }, print('%lld', `(s64)(${expression})`), { n });

test('expressions have the precedence, the types and the results that they have in C', () => {
  const cases: readonly (readonly [expression: string, result: string, n?: number])[] = [
    ['1 + 2 * 3 - 4 / 2', '5'],
    ['(1 + 2) * 3 % 5', '4'],
    ['10 - 4 - 3', '3'],
    ['1 << 4 | 1 & 3 ^ 2', '19'],
    ['1 == 1 != 0', '1'],
    ['REC->n > 3 && REC->n < 9 || 0', '1', 5],
    ['REC->n ? REC->n == 1 ? 10 : 20 : 30', '20', 2],
    ['!REC->n + ~0 + -REC->n', '4294967294', 1],
    ['(REC)->n << 31', '2147483648', 3],
    ['(u64)REC->n << 32', '12884901888', 3],
    ['(s8)REC->n', '-1', 255],
    ['(unsigned char)REC->n + (u16)65536', '255', 511],
    ['(char)200', '-56'],
    ['(unsigned long)REC->n - 1 > 0', '1'],
    ['REC->n - 1', '4294967295'],
    ['-1 < 0', '1'],
    ['-1 < 1U', '0'],
    ['REC->n / 0 + REC->n % 0', '0', 7],
    ["'A' + 0x10 + 010", '91'],
    ['sizeof', 'n=0'],
  ];
  for (const [expression, result, n] of cases) assert.equal(evaluate(expression, n), result, expression);
});

test('conversions are those of printf', () => {
  const fields = { i: one('int'), u: one('u32'), l: one('u64') };
  const values = { i: -42, u: 0xdeadbeef, l: 2n ** 64n - 1n };
  const show = (format: string, field: string): string => textOf(fields, print(format, `REC->${field}`), values);
  const cases: readonly (readonly [format: string, field: string, shown: string])[] = [
    ['%d|%%', 'i', '-42|%'],
    ['[%6d]', 'i', '[   -42]'],
    ['[%-6d]', 'i', '[-42   ]'],
    ['[%06d]', 'i', '[-00042]'],
    ['[%.4d]', 'i', '[-0042]'],
    ['%u', 'i', '4294967254'],
    ['%hu', 'u', '48879'],
    ['%hhd', 'u', '-17'],
    ['%#x %', 'u', '0xdeadbeef %'],
    ['%#X', 'u', '0XDEADBEEF'],
    ['%o', 'u', '33653337357'],
    ['%+d', 'u', '-559038737'],
    ['%llu', 'l', '18446744073709551615'],
    ['%ld', 'l', '-1'],
    ['%Lx', 'l', 'ffffffffffffffff'],
    ['%d', 'l', '-1'],
    ['%c', 'u', '\xef'],
  ];
  for (const [format, field, shown] of cases) assert.equal(show(format, field), shown, format);
  assert.equal(
    textOf({ n: one('int') }, print('[%*d] [%-*d] [%.*s]', '5', 'REC->n', '5', 'REC->n', '2', '"text"'), { n: 7 }),
    '[    7] [7    ] [te]',
  );
});

test('names, flags, texts and arrays', () => {
  const state = print('%s', '__print_symbolic(REC->n, { 1, "one" }, { 2, "two" })');
  assert.equal(textOf({ n: one('u32') }, state, { n: 2 }), 'two');
  assert.equal(textOf({ n: one('int') }, state, { n: -3 }), '0xfffffffffffffffd');
  const flags = print('%s', '__print_flags(REC->n, "|", { 1, "A" }, { 6, "BC" }, { 8, "D" })');
  assert.deepEqual(
    [0, 1, 2, 7, 9, 48].map((n) => textOf({ n: one('u32') }, flags, { n })),
    ['', 'A', '0x2', 'A|BC', 'A|D', '0x30'],
  );
  assert.equal(
    textOf({ s: dynamic('char'), c: array('char', 8) }, print('%s-%s', '__get_str(s)', 'REC->c'), { s: 'né', c: 'c' }),
    'né-c',
  );
  const list = print(
    '%s %s %d',
    '__print_hex(REC->b, 3)',
    '__print_array(__get_dynamic_array(w), 2, 2)',
    '__get_dynamic_array_len(w)',
  );
  assert.equal(
    textOf({ b: array('u8', 3), w: dynamic('u16') }, list, { b: [1, 2, 255], w: [3, 500, 9, 9] }),
    '01 02 ff {3,500} 8',
  );
});

test('addresses print as the dialect names them', () => {
  const format = print('%ps %pS %p %px', '(void *)REC->a', '(void *)REC->a', 'REC->a', 'REC->a');
  assert.equal(textOf({ a: one('unsigned long') }, format, { a: 4096 }), '<4096> <4096+> *1000 *1000');
});

test('internet addresses are printed from their bytes', () => {
  const fields = { v4: array('u8', 4), v6: array('u8', 16) };
  const values = { v4: [10, 1, 2, 3], v6: [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1] };
  assert.equal(textOf(fields, '"%pI4 %pI6c", REC->v4, REC->v6', values), '10.1.2.3 2001:db8::1');
});

test('an event that is not known prints as its fields', () => {
  const fields = { n: one('int'), s: dynamic('char'), list: array('u16', 2) };
  const values = { n: -1, s: 'text', list: [1, 2] };
  for (const format of [
    '"%d", nothing(REC->n)',
    '"%d", REC->other',
    '"%d"',
    '"%pM", &REC->n',
    '"%d", REC->n +',
    '"%d", SOME_CONSTANT',
    '"%d", @',
    'REC->n',
    '',
    `"%d", ${'('.repeat(3000)}1${')'.repeat(3000)}`,
    `"%d", 1${'+1'.repeat(100_000)}`,
  ]) {
    assert.equal(textOf(fields, format, values), 'n=-1 s=text list=1,2', format.slice(0, 30));
  }
});

test('a format cannot ask for more than a line', () => {
  assert.equal(textOf({ n: one('int') }, '"%999999999d%*d", REC->n, -2147483647, REC->n', { n: 1 }).length, 2048);
});

test('the print formats of all own events are understood', () => {
  for (const event of [...Object.values(FTRACE_EVENTS), ...SAMPLE_EVENTS])
    assert.doesNotThrow(() => compilePrint(event, DIALECT), event.name);
});

test('a bitmask prints as the kernel prints a cpumask', () => {
  const shown = (...bits: number[]): string =>
    textOf({ bits: dynamic('unsigned long') }, print('%s', '__get_bitmask(bits)'), { bits });
  assert.equal(shown(), '');
  assert.equal(shown(0xf1), '00000000,000000f1');
  assert.equal(shown(2 ** 33, 5), '00000000,00000005,00000002,00000000');
});
