import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadsFentry, optionWords } from './loads-fentry.js';

const OWN = { preloads: ['/srv/tools/dist/preload.cjs'], command: '/srv/tools/dist/cli.js' };

const CASES: readonly (readonly [what: string, command: string, options: string, loads: boolean])[] = [
  ['the package by its name', 'node --require fentry app.js', '', true],
  ['the package with the short option', 'node -r fentry app.js', '', true],
  ['the package as an ES module', 'node --import=fentry app.mjs', '', true],
  ['files of an installed package', 'node app.js', '--require=/home/ann/shop/node_modules/fentry/dist/preload.cjs', true],
  ['their URL', 'node --import file:///home/ann/node_modules/fentry/dist/index.js app.mjs', '', true],
  ['files of this fentry, wherever they are', 'node app.js', '--require=/srv/tools/dist/preload.cjs', true],
  ['behind an option with a word of its own', 'node -C dev -r fentry app.js', '', true],
  ['a word of the program', 'node app.js --require fentry', '', false],
  ['its own command', 'node /usr/local/bin/fentry report', '--require fentry', false],
  ['that of this fentry', 'node /srv/tools/dist/cli.js report', '--require fentry', false],
  ['another package', 'node -r ts-node/register app.js', '--require=fentry-like', false],
  ['no option', 'node app.js', '', false],
];

for (const [what, command, options, loads] of CASES) {
  test(`${what}: ${command} ${options}`.trim(), () => {
    assert.equal(loadsFentry(command.split(' '), options, OWN), loads);
  });
}

test('the words of NODE_OPTIONS are those that Node reads', () => {
  assert.deepEqual(optionWords('--require="/my files/a\\"b.cjs"  -r x'), ['--require=/my files/a"b.cjs', '-r', 'x']);
});
