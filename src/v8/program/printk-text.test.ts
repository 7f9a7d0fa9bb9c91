import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printkText } from './printk-text.js';

const ROWS: readonly (readonly [format: string, values: readonly unknown[], text: string])[] = [
  ['plain', [], 'plain'],
  ['%d %i %u', [1, -2, 3], '1 -2 3'],
  ['%d of 100%%', [50], '50 of 100%'],
  ['%d %u %x', [5e9, -1, -1], '5000000000 4294967295 ffffffff'],
  ['%lu %llx', [-1, -1n], '18446744073709551615 ffffffffffffffff'],
  ['%x %#x %#o %X', [255, 255, 8, 0xabc], 'ff 0xff 010 ABC'],
  ['[%5d] [%-5d] [%05d] [%+d] [%.3d]', [42, 42, -42, 42, 7], '[   42] [42   ] [-0042] [+42] [007]'],
  ['[%*d] [%-*d] [%.*s]', [4, 1, 4, 1, 2, 'abc'], '[   1] [1   ] [ab]'],
  ['%s %s %s', ['text', undefined, 12n], 'text (null) 12'],
  ['%s %j', [{ id: 1 }, [1, 'a']], '{id: 1} [1, "a"]'],
  ['%c%c', [65, 'xyz'], 'Ax'],
  ['%f %.2f %f', [1.5, 2.345, 3n], '1.500000 2.35 3.000000'],
  ['%d %f', ['no number', Symbol('s')], 'no number Symbol(s)'],
  ['%ps, %pS', [function route() {}, () => {}], 'route, (anonymous)'],
  ['%d and %d', [1], '1 and %d'],
  ['%y %d %', [1], '%y 1 %'],
  ['%', [], '%'],
  ['%d', [Number.NaN], 'NaN'],
];

test('each conversion shows its value as the kernel’s printf does', () => {
  for (const [format, values, text] of ROWS) assert.equal(printkText(format, values), text, format);
});

test('no value runs code of the program', () => {
  const trap = new Proxy(() => {}, {
    get() {
      throw new Error('ran');
    },
    getOwnPropertyDescriptor() {
      throw new Error('ran');
    },
  });
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const nasty = {
    toString(): never {
      throw new Error('ran');
    },
    get valueOf(): never {
      throw new Error('ran');
    },
  };
  for (const conversion of ['d', 'x', 's', 'j', 'p', 'f', 'c', '*d']) {
    for (const value of [trap, proxy, nasty]) assert.equal(typeof printkText(`%${conversion}`, [value, value]), 'string');
  }
});
