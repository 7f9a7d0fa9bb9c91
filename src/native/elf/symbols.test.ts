import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileText, without } from '../testing/toolchain.js';
import { functionAddress, functionSymbols } from './symbols.js';

test('a function is found by its name alone, not by the end or the beginning of another one', { skip: without('gcc') }, (t) => {
  const source = `
    int count;
    __attribute__((noinline)) int step(int n) { return n * 3 + count; }
    __attribute__((noinline)) int one_step(int n) { return step(n) * 5; }
    __attribute__((noinline)) int stepped(int n) { return one_step(n) * 7; }
    int main(int n, char **words) { return stepped(n) + (words == 0); }`;
  const elf = compileText(t, source, ['gcc']);
  const known = new Map(Array.from(functionSymbols(elf), ({ name, address }) => [name, address]));
  for (const name of ['step', 'one_step', 'stepped', 'main']) assert.equal(functionAddress(elf, name), known.get(name), name);
  assert.deepEqual([functionAddress(elf, 'ste'), functionAddress(elf, 'count')], [undefined, undefined]);
});
