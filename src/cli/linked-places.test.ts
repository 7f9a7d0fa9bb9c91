import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { linkedPlaces } from './linked-places.js';

const FOLDER = mkdtempSync(join(tmpdir(), 'fentry-places-'));
after(() => rmSync(FOLDER, { recursive: true }));
mkdirSync(join(FOLDER, 'cli'));
for (const name of ['main.ts', 'output.ts']) writeFileSync(join(FOLDER, 'cli', name), '');

const link = (text: string, path: string, line: number): string =>
  `\u001b]8;;file://box${FOLDER}/${path}#${line}\u001b\\${text}\u001b]8;;\u001b\\`;

test('places of files that are there are links, in stacks, calls and graphs', () => {
  const linked = linkedPlaces(FOLDER, 'box');
  assert.equal(linked(' => print (cli/output.ts:7)'), ` => print (${link('cli/output.ts:7', 'cli/output.ts', 7)})`);
  assert.equal(
    linked('a(1) (cli/main.ts:1) <-b (cli/gone.ts:2)'),
    `a(1) (${link('cli/main.ts:1', 'cli/main.ts', 1)}) <-b (cli/gone.ts:2)`,
  );
  assert.equal(linked('  f() { /* cli/main.ts:3 */'), `  f() { /* ${link('cli/main.ts:3', 'cli/main.ts', 3)} */`);
  for (const text of ['f(12:30)', 'listOnTimeout (node:internal/timers)', '=> f (ffffffff81000014)'])
    assert.equal(linked(text), text);
  assert.equal(linkedPlaces(FOLDER, undefined)('(cli/main.ts:1)'), '(cli/main.ts:1)');
});
