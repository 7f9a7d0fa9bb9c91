import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_PRINTK_FORMATS, PrintkFormats } from './printk-formats.js';

test('each format is listed once, as the kernel quotes it', () => {
  const formats = new PrintkFormats();
  for (const format of ['order %d\n', 'a\t"b" \\', 'order %d\n']) formats.add(format);
  assert.deepEqual([...formats.lines()], ['0x1 : "order %d\\n"\n', '0x2 : "a\\t\\"b\\" \\\\"\n']);
});

test('a program that makes up its formats does not fill the memory', () => {
  const formats = new PrintkFormats();
  for (let i = 0; i < MAX_PRINTK_FORMATS + 10; i++) formats.add(`${i}`);
  assert.equal([...formats.lines()].length, MAX_PRINTK_FORMATS);
});
