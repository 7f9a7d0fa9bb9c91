import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FilterEditor, type FunctionFilter, filterLinked, parseFilterWord, waitingWords } from './function-filter.js';
import type { FunctionNames } from './function-match.js';
import { EMPTY_HASH } from './hash.js';

const FUNCTIONS: [name: string, module: string][] = [
  ['handleRequest', ''],
  ['handleError', ''],
  ['render', ''],
  ['handle', 'express'],
  ['next', 'express'],
];

const namesOf = (functions: readonly (readonly [string, string])[]): FunctionNames => ({
  listed: functions.map((_, n) => n),
  name: (n) => functions[n]![0],
  module: (n) => functions[n]![1],
  hasModule: (module) => functions.some(([, found]) => found === module),
});
const names = namesOf(FUNCTIONS);

function written(words: string, start: FunctionFilter = EMPTY_HASH, known = names): FunctionFilter {
  const editor = new FilterEditor(known, start);
  for (const word of words.split(' ')) editor.apply(parseFilterWord(word));
  return editor.result();
}

const shown = (filter: FunctionFilter): string[] => [...filter.functions].sort().map((n) => FUNCTIONS[n]![0]);

test('words add functions, and take them out again', () => {
  assert.deepEqual(shown(written('render handle*')), ['handleRequest', 'handleError', 'render', 'handle']);
  assert.deepEqual(shown(written('handle* !*Error')), ['handleRequest', 'handle']);
  assert.deepEqual(shown(written('3')), ['render']);
  assert.equal(written('render !render'), EMPTY_HASH);
});

test('an index is read as strtoul reads it', () => {
  for (const word of ['3', '3rd', '0x3', '03', '3*', '3:mod:koa']) assert.deepEqual(shown(written(word)), ['render'], word);
  for (const word of ['0', '0x', '08', '6']) assert.throws(() => written(word), { errno: 'EINVAL' }, word);
});

test('a module selects its functions', () => {
  assert.deepEqual(shown(written(':mod:express')), ['handle', 'next']);
  assert.deepEqual(shown(written('h*:mod:express')), ['handle']);
  assert.deepEqual(shown(written('h*:mod:exp*')), ['handle']);
  assert.deepEqual(shown(written('handle*:mod')), ['handleRequest', 'handleError', 'handle']);
});

test('what matches nothing is refused, unless its module may still come', () => {
  const refused = { name: 'TraceError', errno: 'EINVAL' };
  for (const word of ['nosuch', '!nosuch', '0', '6', '#', 'render:nosuch', 'z*:mod:express']) {
    assert.throws(() => written(word), refused, word);
  }
  const waiting = written('a*:mod:later');
  assert.deepEqual(shown(waiting), []);
  assert.deepEqual(
    waitingWords(waiting, names).map(({ text }) => text),
    ['a*:mod:later'],
  );
  assert.equal(written('!a*:mod:later', waiting), EMPTY_HASH);
});

test('a graph filter knows names only, and cannot lose what it does not hold', () => {
  const editor = new FilterEditor(names, EMPTY_HASH);
  editor.applyGraph('handle*');
  editor.applyGraph('!handle');
  assert.deepEqual(shown(editor.result()), ['handleRequest', 'handleError']);
  assert.throws(() => editor.applyGraph('!render'), { errno: 'EINVAL' });
  assert.throws(() => editor.applyGraph(':mod:express'), { errno: 'EINVAL' });
});

test('functions linked later go where the last word that matches them says', () => {
  const later = namesOf([...FUNCTIONS, ['handleLate', 'koa'], ['handleLateError', 'koa'], ['start', 'koa']]);
  const filter = written('handle* !*Error next');
  assert.deepEqual([...filterLinked(filter, later, [5, 6, 7]).functions].sort(), [0, 3, 4, 5]);
  const byModule = written('s*:mod:koa');
  assert.deepEqual([...filterLinked(byModule, later, [5, 6, 7]).functions], [7]);
  assert.equal(filterLinked(filter, later, [7]), filter);
});

test('ten thousand names at once take no time to speak of', () => {
  const many = namesOf(Array.from({ length: 20_000 }, (_, n) => [`f${n}`, ''] as const));
  const words = Array.from({ length: 10_000 }, (_, n) => `f${n * 2}`).join(' ');
  assert.equal(written(words, EMPTY_HASH, many).functions.size, 10_000);
});
