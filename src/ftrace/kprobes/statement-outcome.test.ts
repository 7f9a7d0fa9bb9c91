import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TextSpan } from '../text.js';
import { statementOutcomes } from './statement-outcome.js';

/**
 * A function whose statements are letters and whose `try` statements are in the order of `tries`: `[block, handler, finalizer]`.
 */
function outcomesOf(
  letter: string,
  text: string,
  tries: readonly (readonly [string, string | undefined, string?, boolean?])[],
): string {
  const letters = [...text].flatMap((one, from) => (/[a-z]/.test(one) ? [{ from, to: from + 1, names: [] }] : []));
  const span = (part: string): TextSpan => [text.indexOf(part), text.indexOf(part) + part.length];
  const blocks = tries.map(([block, handler, finalizer, mayEndThrow = false]) => ({
    block: span(block),
    ...(handler !== undefined && { handler: span(handler) }),
    ...(finalizer !== undefined && { finalizer: span(finalizer), mayEndThrow }),
  }));
  const index = letters.findIndex(({ from }) => text[from] === letter);
  return statementOutcomes(letters, index, blocks)
    .map((one, i) => `${text[letters[i]!.from]} ${one}`)
    .join(', ');
}

test('a statement whose handler begins next has thrown; any other has not', () => {
  const text = 'a{b}{c}d';
  assert.equal(outcomesOf('b', text, [['{b}', '{c}']]), 'a done, b done, c threw, d done');
  assert.equal(outcomesOf('c', text, [['{b}', '{c}']]), 'a done, b done, c done, d done');
  assert.equal(outcomesOf('a', text, [['{b}', '{c}']]), 'a done, b done, c done, d done');
});

test('in a finally nobody knows, unless it may end the exception by itself', () => {
  assert.equal(outcomesOf('a', '{a}{b}{c}d', [['{a}', '{b}', '{c}']]), 'a done, b threw, c unknown, d done');
  assert.equal(outcomesOf('b', '{a}{b}{c}d', [['{a}', '{b}', '{c}']]), 'a done, b done, c unknown, d done');
  assert.equal(outcomesOf('c', '{a}{b}{c}d', [['{a}', '{b}', '{c}']]), 'a done, b done, c done, d done');
  assert.equal(outcomesOf('a', '{a}{c}d', [['{a}', undefined, '{c}', true]]), 'a done, c threw, d done');
});

test('an exception may pass inner tries', () => {
  const tries = [
    ['{{a}{b}}', '{c}'],
    ['{a}', undefined, '{b}'],
  ] as const;
  assert.equal(outcomesOf('a', '{{a}{b}}{c}d', tries), 'a done, b unknown, c threw, d done');
});
