import assert from 'node:assert/strict';
import { test } from 'node:test';
import { patternFault, posixPattern } from '../posix-pattern.js';
import { matchedGroup, matchPattern } from './match-pattern.js';

/** The groups of a match, as RegExp has them; null: none. */
function groupsOf(written: string, text: string): string[] | null {
  const pattern = posixPattern(written);
  if (!matchPattern(pattern, text)) return null;
  return Array.from({ length: pattern.borders / 2 }, (_, i) => matchedGroup(pattern, text, i));
}

const ATOMS = ['a', 'b', '.', '[ab]', '[^a]', '^', '$', '(', '(', ')', ')', '|', '*', '+', '?', '{0,2}', '{2}', '{1,}'];

test('patterns match what RegExp matches', () => {
  let seed = 7;
  const below = (most: number): number => (seed = (seed * 48271) % 2147483647) % most;
  const pick = (from: readonly string[], most: number): string =>
    Array.from({ length: below(most) }, () => from[below(from.length)]).join('');
  let compared = 0;
  for (let i = 0; i < 20_000; i++) {
    const pattern = pick(ATOMS, 9);
    if (/[*+?}][*+?{]|[$^][*+?{]/.test(pattern) || patternFault(pattern) !== undefined) continue;
    const text = pick(['a', 'b', 'c'], 8);
    const expected = new RegExp(pattern, 's').exec(text);
    const found = groupsOf(pattern, text);
    // A group that is repeated keeps its last text here, and RegExp forgets it: the whole is compared.
    assert.equal(found?.[0], expected?.[0], `${pattern} on ${text}`);
    if (!/\)[*+?{]|\|/.test(pattern) && expected !== null)
      assert.deepEqual(
        found,
        [...expected].map((one) => one ?? ''),
        `${pattern} on ${text}`,
      );
    compared++;
  }
  assert.ok(compared > 3000, `${compared}`);
});

test('classes, escapes and sets are POSIX’s', () => {
  assert.deepEqual(groupsOf('([[:alpha:]_-]+)=([0-9]+)', ' k_-y=42;'), ['k_-y=42', 'k_-y', '42']);
  assert.deepEqual(groupsOf('[]a]+', 'b]a'), [']a']);
  assert.deepEqual(groupsOf('\\.so[\\.0-9]*', 'libc.so.6'), ['.so.6']);
  assert.deepEqual(groupsOf('é.', 'caféé'), ['éé']);
});

test('no text makes a match long, and none changes RegExp.$1', () => {
  const text = 'a'.repeat(100_000);
  for (const pattern of ['^(a+)+$', '^(a|a)*$', '(a*)*b', '(a?){50}a{50}$', '(.*)(.*)(.*)=']) {
    assert.equal(groupsOf(pattern, `${text}!`), null, pattern);
  }
  const word = posixPattern('(a+)!');
  /(x)/.exec('x');
  assert.ok(matchPattern(word, `${text}!`));
  assert.equal(RegExp.$1, 'x');
});

test('what is no pattern, or a too large one, is refused with a reason', () => {
  assert.equal(patternFault('(b'), 'Unterminated group');
  assert.equal(patternFault('b)'), "Unmatched ')'");
  assert.equal(patternFault('*'), 'Nothing to repeat');
  assert.equal(patternFault('(?=a)'), 'Invalid group');
  assert.equal(patternFault('(a)\\1'), '\\1 is not known here');
  assert.equal(patternFault('[b-a]'), 'Range out of order in character class');
  for (const large of ['(((a{99}){99}){99}){99}', '(){999999999}', '((((){999}){999}){999}){999}', '('.repeat(100_000)]) {
    assert.equal(patternFault(large), 'Regular expression too large');
  }
});
