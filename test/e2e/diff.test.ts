import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sandbox } from './support/program.js';

const NAMES = ['tax', 'discount', 'shipping', 'currency', 'stock', 'coupon', 'weight', 'render', 'log', 'quote'];

/** Ten functions of the same work, called in turn, of which one does so many times as much. */
const program = (slow: string, factor: number): string =>
  [
    ...(factor === 1 ? [] : ['// A line more: everything has moved.']),
    ...NAMES.map((name) => {
      const turns = name === slow ? 4_000 * factor : 4_000;
      return `function ${name}(x) { let sum = x; for (let i = 0; i < ${turns}; i++) sum = (sum * 31 + i) | 0; return sum; }`;
    }),
    `function order(x) { return ${NAMES.map((name) => `${name}(x)`).join(' + ')}; }`,
    'for (let i = 0; i < 200; i++) order(i);',
  ].join('\n');

test('the function that became slower is named with its place, and of the same program none', async (t) => {
  const sandbox = new Sandbox(t);
  const record = async (output: string, text: string): Promise<void> => {
    const recorded = await sandbox.fentry('record', '-o', output, '--', process.execPath, sandbox.file('shop.cjs', text));
    assert.equal(recorded.code, 0, recorded.stderr);
  };
  await record('before.dat', program('shipping', 1));
  await record('again.dat', program('shipping', 1));
  await record('after.dat', program('shipping', 8));

  const same = await sandbox.fentry('diff', '--fail-over', '10%', 'before.dat', 'again.dat');
  assert.equal(same.code, 0, same.stdout + same.stderr);
  assert.match(same.stdout, /^no function differs by more than chance$/m);

  const { stdout } = await sandbox.fentry('diff', 'before.dat', 'after.dat');
  assert.deepEqual(
    stdout.split('\n').flatMap((line) => /^(slower: \w+ \(.*?\)): its own code takes [\d.]+ times as long/.exec(line)?.[1] ?? []),
    ['slower: shipping (shop.cjs:4)'],
    stdout,
  );
  const failed = await sandbox.fentry('diff', '--fail-over', '50%', '--json', 'before.dat', 'after.dat');
  assert.equal(failed.code, 1, failed.stderr);
  assert.match(failed.stderr, /1 function is slower by more than 50%\n.*slower: shipping \(shop\.cjs:4\)/);
  const { functions } = JSON.parse(failed.stdout);
  const shipping = functions.find(({ name }: { name: string }) => name === 'shipping');
  assert.deepEqual([shipping.verdict, shipping.was.line, shipping.place.line], ['slower', 3, 4]);
  assert.equal((await sandbox.fentry('diff', '--fail-over', '10000%', 'before.dat', 'after.dat')).code, 0);

  const one = await sandbox.fentry('diff', '--filter', 'ship*', 'before.dat', 'after.dat');
  assert.equal(one.stdout.split('\n').filter((line) => line.includes('shop.cjs:')).length, 2, one.stdout);
});

test('what cannot be compared is refused with what would be right', async (t) => {
  const sandbox = new Sandbox(t);
  sandbox.file('a.dat', 'no recording');
  const CASES: readonly (readonly [args: readonly string[], code: number, message: RegExp])[] = [
    [['a.dat'], 2, /name two recordings: fentry diff before\.dat after\.dat/],
    [['a.dat', 'b.dat', 'c.dat'], 2, /name two recordings/],
    [['--fail-over', 'much', 'a.dat', 'b.dat'], 2, /--fail-over must be a percentage such as 10%, not 'much'/],
    [['--noise', '-1', 'a.dat', 'b.dat'], 2, /--noise/],
    [['a.dat', 'a.dat'], 1, /a\.dat/],
  ];
  for (const [args, code, message] of CASES) {
    const refused = await sandbox.fentry('diff', ...args);
    assert.equal(refused.code, code, refused.stderr);
    assert.match(refused.stderr, message);
  }
});
