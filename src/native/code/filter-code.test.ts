import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defineEvent } from '../../events/define.js';
import { dynamic, one } from '../../events/fields.js';
import { evaluate } from '../../events/filter/evaluate.js';
import { filterOf } from '../../events/filter/event-filter.js';
import type { Operand } from '../../events/filter/operand.js';
import { recordOf } from '../../events/record-of.js';
import { LocalProcess } from '../addon/local-process.js';
import { ARG0, ARG1, KEPT1, KEPT2, Label, VALUE } from '../machine/operands.js';
import { WRITER } from './arena.js';
import { emitFilter } from './filter-code.js';
import { place, poke } from './testing/placed-code.js';

const EVENT = {
  ...defineEvent('test', 'probed', {
    fields: {
      big: one('u64'),
      long: one('s64'),
      word: one('u32'),
      int: one('s32'),
      half: one('u16'),
      short: one('s16'),
      byte: one('u8'),
      tiny: one('s8'),
      name: dynamic('char'),
    },
    print: '""',
  }),
  id: 77,
};
type Values = Parameters<typeof recordOf<typeof EVENT>>[2];

const NUMBERS = [
  0n,
  1n,
  2n,
  127n,
  128n,
  255n,
  32767n,
  65535n,
  2n ** 31n - 1n,
  2n ** 31n,
  2n ** 32n - 1n,
  2n ** 63n - 1n,
  -1n,
  -2n,
  -128n,
];
const NAMES = ['', 'a', 'ab', 'abc', 'xaby', 'a*c', 'aXcab', 'abab', 'zzz-9'];
const INTEGERS = { big: 64, long: 64, word: 32, int: 32, half: 16, short: 16, byte: 8, tiny: 8 } as const;
const SIGNED = ['long', 'int', 'short', 'tiny'];
const FILTERS = [
  ...Object.keys(INTEGERS).flatMap((name) => ['==', '!=', '<', '<=', '>', '>=', '&'].map((operator) => `${name} ${operator} 2`)),
  ...['big >= 9223372036854775808', 'long < -1', 'tiny == -128', 'word > 2147483647', 'byte & 0x80'],
  ...['"a"', '"ab*"', '"*ab"', '"*ab*"', '"a?c"', '"a*c"', '"*[a-c][0-9x-z]*"', '"a*b*"', '"*"', '"[!a]*"'].flatMap((glob) => [
    `name ~ ${glob}`,
    `!(name ~ ${glob})`,
  ]),
  ...[
    'name == "abc"',
    'name != "abc"',
    'common_pid == 5',
    'CPU == 3',
    'CPU != 3',
    'comm == "me"',
    'comm ~ "m*"',
    'comm != "you"',
  ],
  'int > 0 && (byte == 1 || name ~ "a*") && !(short < 0)',
  'int > 0 || byte == 1 && name ~ "a*"',
];

const skip = process.arch === 'x64' ? false : 'the code is of x86-64';

describe('filters in machine code', { skip }, () => {
  it('take the records that the filters in TypeScript take', () => {
    const local = new LocalProcess();
    const scratch = local.mapAnonymous(8192).address;
    const writer = local.mapAnonymous(4096).address;
    poke(writer + WRITER.CPU, Uint8Array.of(3));
    const programs = FILTERS.map((text) => {
      const { filter, refusal } = filterOf(EVENT, text);
      assert.equal(refusal, undefined, text);
      return filter!.program!;
    });
    const functions = place(
      local,
      (code) => {
        const comm = code.here;
        // `me` and its zero byte, as prctl leaves it.
        code.push(VALUE);
        code.mov({ base: KEPT2, disp: 0 }, 0x656d, 32);
        code.pop(VALUE);
        code.movImmediate(VALUE, 3);
        code.ret();
        return programs.map((program) => {
          const rejected = new Label();
          const start = code.here;
          code.push(KEPT1);
          code.push(KEPT2);
          code.mov(KEPT1, ARG0);
          code.mov(KEPT2, ARG1);
          code.movImmediate(ARG0, writer);
          emitFilter(code, EVENT, program, comm, rejected);
          code.movImmediate(VALUE, 1);
          code.pop(KEPT2);
          code.pop(KEPT1);
          code.ret();
          code.bind(rejected);
          code.xor(VALUE, VALUE, 32);
          code.pop(KEPT2);
          code.pop(KEPT1);
          code.ret();
          return start;
        });
      },
      1 << 20,
    );
    let random = 1;
    const pick = <T>(list: readonly T[]): T => {
      random = (random * 48_271) % 0x7fffffff;
      return list[random % list.length]!;
    };
    for (let round = 0; round < 60; round++) {
      const numbers = Object.entries(INTEGERS).map(([name, bits]) => {
        const value = SIGNED.includes(name) ? BigInt.asIntN(bits, pick(NUMBERS)) : BigInt.asUintN(bits, pick(NUMBERS));
        return [name, bits === 64 ? value : Number(value)] as const;
      });
      const values = { ...Object.fromEntries(numbers), name: pick(NAMES) } as unknown as Values;
      const pid = pick([5, 6]);
      const record = recordOf(EVENT, { pid }, values);
      poke(scratch, record);
      const read = (operand: Operand): unknown => {
        if (operand.from === 'field') return (values as Readonly<Record<string, unknown>>)[operand.name];
        if (operand.from === 'comm') return 'me';
        return operand.from === 'cpu' ? 3 : pid;
      };
      for (const [i, program] of programs.entries()) {
        const passes = local.call(functions[i]!, scratch, scratch + record.length) === 1n;
        const shown = JSON.stringify(values, (_key, value) => (typeof value === 'bigint' ? String(value) : value));
        assert.equal(passes, evaluate(program, read), `${FILTERS[i]} of ${shown}`);
      }
    }
  });
});
