import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Frame } from '../answers/place.js';
import { matchFunctions } from './match-functions.js';

/** `name@file:line`, or `name [package]@file:line`. */
function frameOf(word: string): Frame {
  const [, name = '', from, file = '', line] = /^(\S+?)(?: \[(.+)\])?@(.*):(\d+)$/.exec(word) ?? [];
  return {
    name,
    place: { file, line: Number(line), column: 1 },
    ...(from !== undefined && { package: from }),
    isOwn: from === undefined,
  };
}

const wordOf = ({ name, package: from, place }: Frame): string =>
  `${name}${from === undefined ? '' : ` [${from}]`}@${place?.file}:${place?.line}`;

const CASES: readonly (readonly [what: string, before: string, after: string, both: string])[] = [
  ['the same function', 'price@/a/x.js:3', 'price@/a/x.js:3', 'price@/a/x.js:3=price@/a/x.js:3'],
  ['one whose lines moved', 'price@/a/x.js:3', 'price@/a/x.js:30', 'price@/a/x.js:3=price@/a/x.js:30'],
  ['one of another checkout', 'price@/a/x.js:3', 'price@/b/x.js:3', 'price@/a/x.js:3=price@/b/x.js:3'],
  ['one of a renamed file', 'price@/a/x.js:3', 'price@/a/lib/y.js:3', 'price@/a/x.js:3=price@/a/lib/y.js:3'],
  ['one of the same package', 'get [lib]@/a/x.js:3, get@/a/x.js:9', 'get@/a/x.js:3', 'get@/a/x.js:9=get@/a/x.js:3'],
  [
    'two of one name, with a third one before them',
    'get@/a/x.js:10, get@/a/x.js:50',
    'get@/a/x.js:5, get@/a/x.js:14, get@/a/x.js:54',
    'get@/a/x.js:10=get@/a/x.js:14, get@/a/x.js:50=get@/a/x.js:54',
  ],
  [
    'two of three',
    'get@/a/x.js:5, get@/a/x.js:14, get@/a/x.js:54',
    'get@/a/x.js:10, get@/a/x.js:50',
    'get@/a/x.js:14=get@/a/x.js:10, get@/a/x.js:54=get@/a/x.js:50',
  ],
  ['nothing where two candidates are left', 'get@/a/x.js:5', 'get@/a/y.js:5, get@/a/z.js:5', ''],
  ['nothing of another name', 'get@/a/x.js:5', 'put@/a/x.js:5', ''],
];

for (const [what, before, after, both] of CASES) {
  test(`found again is ${what}`, () => {
    const [olds, news] = [before, after].map((words) => words.split(', ').map(frameOf)) as [Frame[], Frame[]];
    const application = (frames: readonly Frame[]): string => /^\/\w+/.exec(frames[0]?.place?.file ?? '')?.[0] ?? '';
    const matched = matchFunctions(
      { application: application(olds), functions: olds },
      { application: application(news), functions: news },
    );
    assert.equal(matched.both.map(([one, other]) => `${wordOf(one)}=${wordOf(other)}`).join(', '), both);
    assert.equal(matched.gone.length + matched.both.length, olds.length);
    assert.equal(matched.added.length + matched.both.length, news.length);
  });
}
