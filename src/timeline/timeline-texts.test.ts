import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../base/testing/random.js';
import { TimelineTexts } from './timeline-texts.js';

test('texts are found by words in any case, as a look at each of them finds them', () => {
  const random = seededRandom(5);
  const pieces = ['id=', 'Ärger', 'AB', 'ab', 'ba', 'b', ' ', '12', '\u{1f600}', 'GET /Items'];
  const texts = new TimelineTexts();
  const all = Array.from({ length: 800 }, () => Array.from({ length: random(6) }, () => pieces[random(pieces.length)]).join(''));
  for (const text of all) texts.add(new TextEncoder().encode(text));
  assert.deepEqual(
    all.map((_, number) => texts.at(number)),
    all,
  );
  assert.equal(texts.at(-1), '');
  for (const words of [
    ['ab'],
    ['abab'],
    ['b'],
    ['get'],
    ['items', '12'],
    ['ä'],
    ['är', 'ab'],
    ['none'],
    ['id=', 'b', 'a'],
    ['/items'],
  ]) {
    const expected = all.flatMap((text, number) => (words.every((word) => text.toLowerCase().includes(word)) ? [number] : []));
    assert.deepEqual([...texts.containing(words)], expected, words.join());
  }
});
