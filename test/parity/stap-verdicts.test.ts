import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { OFFERED_FACTS } from '../../src/script/stap/conditions.js';
import { type ParsedFile, parseStapFile } from '../../src/script/stap/parse-file.js';
import { describeToken, type StapSyntaxError } from '../../src/script/stap/syntax-error.js';
import { isTapsetUsed, TapsetFiles } from '../../src/script/stap/tapset-files.js';

const verdicts = (name: string): string =>
  readFileSync(new URL(`../../../test/parity/stap/verdicts/${name}`, import.meta.url), 'utf8');

interface Answer {
  readonly status: number;
  readonly errors: readonly { readonly place: string; readonly message: string; readonly saw?: string; readonly at?: string }[];
  readonly suppressed?: number;
}

/** The first complaint of each kind, as stap prints them without -v. */
const printed = (errors: readonly StapSyntaxError[]): StapSyntaxError[] =>
  errors.filter(({ site }, index) => errors.findIndex((one) => one.site === site) === index);

function answerOf({ file, errors, emptiness }: ParsedFile): Answer {
  const shown = printed(errors).flatMap((error) => (error.also === undefined ? [error] : [error, error.also]));
  const told: Answer['errors'] = shown.map(({ message, label, token }) => ({
    place: token === undefined ? 'end' : `${token.place.line}:${token.place.column}`,
    message: message.replace(/\s+/g, ' '),
    [label]: token === undefined ? 'EOF' : describeToken(token).replace(/ at \S+$/, ''),
  }));
  const whole = emptiness === undefined ? [] : [{ place: 'file', message: `is ${emptiness}.` }];
  const suppressed = errors.length - printed(errors).length;
  return { status: file === undefined ? 1 : 0, errors: [...told, ...whole], ...(suppressed > 0 && { suppressed }) };
}

test('texts are taken and refused as by stap 4.8, with the same errors at the same places', () => {
  const answers: Readonly<Record<string, Answer>> = JSON.parse(verdicts('answers.json'));
  const texts: Readonly<Record<string, string>> = JSON.parse(verdicts('texts.json'));
  const names = Object.keys(answers);
  assert.ok(names.filter((name) => answers[name]!.status !== 0).length >= 100);
  for (const name of names)
    assert.deepEqual(answerOf(parseStapFile('-', texts[name]!, { facts: OFFERED_FACTS })), answers[name], name);
});

const SHARE = '/usr/share/';
const TAPSETS = join(SHARE, 'systemtap/tapset');

test('the examples and tapsets of Debian are taken and refused as by stap 4.8', (t) => {
  const lines = verdicts('files.tsv').trimEnd().split('\n');
  const files = lines.map((line) => line.split('\t')).filter(([path]) => existsSync(join(SHARE, path!)));
  if (files.length === 0) return t.skip('neither systemtap-doc nor systemtap-common is installed');
  const library = new TapsetFiles(
    [
      () =>
        readdirSync(TAPSETS, { recursive: true, encoding: 'utf8' })
          .filter((path) => path.endsWith('.stpm') && isTapsetUsed(path, OFFERED_FACTS))
          .map((path) => ({ path, text: readFileSync(join(TAPSETS, path), 'utf8') })),
    ],
    OFFERED_FACTS,
  );
  for (const [path, status, place, message] of files) {
    const text = readFileSync(join(SHARE, path!), 'utf8');
    const answer = answerOf(parseStapFile(path!, text, { facts: OFFERED_FACTS, macro: library.macro }));
    assert.equal(String(answer.status), status, path);
    if (status === '1') assert.deepEqual([answer.errors[0]?.place, answer.errors[0]?.message], [place, message], path);
  }
});
