/**
 * V8 prints expressions of the source in its errors: they are the same with sites, for every kind of expression around which
 * sites stand.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { FENTRY, run } from '../support/program.js';

/** By the sort of function: expressions whose value is the function's argument `x`. */
const OPERANDS = {
  'async function': [
    'x',
    'await x',
    'await f()',
    'await o.f()',
    'await (0, x)',
    '(await x)',
    'await await x',
    '(() => x)()',
    'await (async () => x)()',
    'o?.f()',
  ],
  'function*': ['yield x', 'yield f()', 'yield', 'yield* [x]', '(yield x)', 'yield yield x', 'f(yield x)'],
  'async function*': ['await x', 'yield f()', 'yield'],
} as const;

/** What is done with an operand `$`: each is a TypeError if that is null, undefined or a number, most of them for objects too. */
const FORMS = [
  '$()',
  '$.p()',
  '$.p.q',
  '$.p.q()',
  '$[f()]',
  '$[f()]()',
  'new ($)()',
  'new ($).p()',
  'const {a} = $',
  'const {a: {b}} = $',
  'const {[f()]: a} = $',
  'const [a] = $',
  'const [{a}] = $',
  '({a: y} = $)',
  '[y] = $',
  'for (const z of $);',
  'for (const {z} of [$]);',
  '[...$]',
  'f(...$)',
  'class A extends ($) {}',
  'y = class extends ($) {}',
  '1 in $',
  'y instanceof $',
  '$`t`',
  '$.a = 1',
  '$.a.b = 1',
  'delete $.p',
  '$?.p.q()',
  '($ ?? null).p',
  '($ || null)()',
  'new Map($)',
  'y = $(1)',
  'throw $()',
  'if ($.p) y = 1',
  'f($.p)',
  'o.f($())',
  '(y ? $ : $).p()',
  '(`t${' + '$.p}`)',
  'y = [$()]',
  'y = {a: $()}',
  'y = () => 1, $()',
  '!$()',
  '$.p++',
  'const g = (v) => v(), h = g($)',
  'const {a} = f($)',
  'o.none($)',
  'y($)',
  'y.p($)',
  'super_($).p()',
] as const;

/** Where it stands. */
const PLACES = [
  '@',
  'return @',
  'try { @ } finally { y = 2 }',
  'try { @ } catch (e) { throw e }',
  'if (y === undefined) { @ }',
] as const;

const isStatement = (form: string): boolean => /^(const|for|class|throw|if)\b/.test(form);
const iterates = {
  'async function': ['for await (const z of $);'],
  'function*': ['yield* $'],
  'async function*': ['yield* $', 'for await (const z of $);'],
} as const;

const cases = Object.entries(OPERANDS).flatMap(([sort, operands]) =>
  operands.flatMap((operand) =>
    [...FORMS, ...iterates[sort as keyof typeof iterates]].flatMap((form, i) =>
      PLACES.filter(
        (place, k) =>
          (k === 0 || i % 4 === k - 1 || operand === 'await f()') && !(place.startsWith('return') && isStatement(form)),
      ).map((place) => {
        const needsParentheses =
          !/^(const|for|class|y = \$|\[|f\(|o\.|y\(|y\.|super|`)/.test(form) || / = \$[(.]|\$[(.[`?]/.test(form);
        const body = place.replace('@', () => form.replaceAll('$', () => (needsParentheses ? `(${operand})` : operand)));
        return `${sort} c(x, f, o, y, super_) { ${body} }`;
      }),
    ),
  ),
);

const program = `const tell = [];
const cases = [
${cases.map((text) => `  [${JSON.stringify(text)}, ${text}],`).join('\n')}
];
const drive = async (made, x) => {
  if (typeof made?.next !== 'function') return made;
  let turn = await made.next();
  while (!turn.done) turn = await made.next(x);
};
(async () => {
  for (const [text, c] of cases) for (const x of [null, undefined, 1, {}]) {
    try { await drive(c.call(null, x, () => x, { f: () => x }, undefined, (v) => v), x); } catch (error) { tell.push(text + '\\t' + String(x) + '\\t' + error.name + ': ' + error.message); }
  }
  console.log(tell.join('\\n'));
})();
`;

/** What V8 quotes of the site at an `await` or `yield`. */
const SITE = /\((?:\$f[qt] , )+\(\$fs && \$f[wv](?:\(\.\.\.\))?\).*?, \$fq\)/g;
/**
 * Messages about what is not iterable, of which V8 says less if a site stands between it and the loop or pattern
 * (docs/limitations.md).
 */
const LESS = /TypeError: (undefined is not a function|.* is not iterable \(cannot read property Symbol\(Symbol\.iterator\)\))$/;
const WAITS = /(\[(a|\{a\})\] = |\[y\] = |yield\* |for (await )?\(const z of ).*(await|yield|\(\)).*\t.*\t/;

test('errors that quote the source', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fentry-messages-'));
  after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'cases.js');
  writeFileSync(path, program);
  const plain = (await run(path, {})).stdout.split('\n');
  assert.ok(plain.length > cases.length);
  for (const parameters of ['', 'ftrace=function']) {
    const traced = await run(path, { flags: ['--import', FENTRY], env: { FENTRY: parameters } });
    const lines = traced.stdout.split('\n').map((line) => line.replace(SITE, '(intermediate value)'));
    const others = plain.flatMap((line, i) =>
      line === lines[i] || (WAITS.test(line) && LESS.test(lines[i] ?? '')) ? [] : [[line, lines[i]]],
    );
    assert.deepEqual(others, [], parameters);
    assert.equal(lines.length, plain.length);
  }
});
