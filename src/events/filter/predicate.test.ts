import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineEvent } from '../define.js';
import { one } from '../fields.js';
import { evaluate } from './evaluate.js';
import { parseFilter } from './parse-filter.js';
import type { FilterProgram } from './predicate.js';

const LETTERS = [...'abcdefgh'];
const EVENT = defineEvent('test', 'letters', {
  fields: Object.fromEntries(LETTERS.map((letter) => [letter, one('int')])),
  print: '""',
});

/** `a && b` for `a == 1 && b == 1`. */
const program = (letters: string): FilterProgram => parseFilter(EVENT, letters.replace(/[a-h]/g, '$& == 1'));

/** A program as text: `!a>2` goes to step 2 when `a` is not true. T and F stand behind the last step. */
const shown = (letters: string): string => {
  const steps = program(letters);
  const place = (target: number): string => ['T', 'F'][target - steps.length] ?? String(target);
  return steps
    .map(({ predicate, when, target }) => {
      const name = predicate.test !== 'constant' && 'name' in predicate.operand ? predicate.operand.name : '?';
      return `${when ? '' : '!'}${name}>${place(target)}`;
    })
    .join(' ');
};

test('each term is one step, which goes where the result is decided', () => {
  assert.equal(shown('a'), '!a>F');
  assert.equal(shown('!a'), 'a>F');
  assert.equal(shown('a && b'), '!a>F !b>F');
  assert.equal(shown('a || b'), 'a>T !b>F');
  assert.equal(shown('a || b && c'), 'a>T !b>F !c>F');
  assert.equal(shown('a && b || c'), '!a>2 b>T !c>F');
  assert.equal(shown('(a || b) && c'), 'a>2 !b>F !c>F');
  assert.equal(shown('!(a || b) && c'), 'a>F b>F !c>F');
  assert.equal(shown('!(a && !(b || c))'), '!a>T b>T !c>F');
  assert.equal(shown('a && !(!b || (c && g)) || d || e && !f'), '!a>4 !b>4 !c>T !g>T d>T !e>F f>F');
});

test('parentheses and an even number of ! change nothing', () => {
  assert.deepEqual(program('((a) && ((b)))'), program('a && b'));
  assert.deepEqual(program('!!a && !(!(b || c))'), program('a && (b || c)'));
});

/** Filters and the letters that are 1, then the result and the letters that must have been looked at. */
const VISITED = [
  ['a && b && c && d', 'abcd', true, 'abcd'],
  ['a && b && c && d', 'bcd', false, 'a'],
  ['a || b || c || d', 'c', true, 'abc'],
  ['a || b || c || d', '', false, 'abcd'],
  ['(a || b) && (c || d) && (e || f)', 'ace', true, 'ace'],
  ['(a || b) && (c || d) && (e || f)', 'acf', true, 'acef'],
  ['(a && b) || (c && d) || (e && f)', 'acf', false, 'abcde'],
  ['(a && b) || (c && d) || (e && f)', 'abef', true, 'ab'],
  ['((((a && b) || c) && d) || e) && f', 'abdf', true, 'abdf'],
  ['((((a || b) && c) || d) && e) || f', 'be', false, 'abcdf'],
  ['!((a || !b) && c) || d', 'bc', true, 'ab'],
] as const;

test('no term is looked at that cannot matter', () => {
  for (const [filter, ones, result, visited] of VISITED) {
    let looked = '';
    const value = evaluate(program(filter), (operand) => {
      const name = 'name' in operand ? operand.name : '';
      looked += name;
      return ones.includes(name) ? 1 : 0;
    });
    assert.deepEqual([value, looked], [result, visited], `${filter} of ${ones}`);
  }
});

test('a filter as long and as deep as a write may be is parsed', () => {
  const deep = 500;
  assert.equal(program(`${'(a||(b&&'.repeat(deep / 2)}c${'))'.repeat(deep / 2)}`).length, deep + 1);
  assert.equal(program(`${'!('.repeat(2000)}a${')'.repeat(2000)}`).length, 1);
});
