import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { VERSION } from '../base/version.js';
import { helpOf } from './help-rows.js';
import { manPage, manPageOfVerb } from './man-page.js';
import { MANUALS } from './manuals.js';
import { VERBS } from './verbs.js';

const page = manPage(VERBS, VERSION);

test('the page that the build wrote is the one of these verbs', () => {
  assert.equal(readFileSync('man/fentry.1', 'utf8'), page);
});

test('every verb is in the page, with its options', () => {
  const plain = page.replaceAll('\\-', '-');
  for (const { name, synopsis, options, help } of VERBS) {
    assert.ok(plain.includes(`.SS fentry ${name}${synopsis === '' ? '' : ` ${synopsis}`}\n`), name);
    for (const [long, { short }] of Object.entries(options)) {
      const words = helpOf(help, long, short);
      if (words) assert.ok(plain.replaceAll('\\(aq', "'").replaceAll('\\e', '\\').includes(`${words}\n`), `${name} --${long}`);
    }
  }
});

const ownPages = Object.entries(MANUALS).map(([name, manual]) => {
  const verb = VERBS.find((one) => one.name === name)!;
  return { verb, text: manPageOfVerb(verb, manual, VERSION) };
});

test('the languages of scripts have pages of their own, with all options of their verbs', () => {
  assert.deepEqual(
    ownPages.map(({ verb }) => verb.name),
    ['bpftrace', 'stap'],
  );
  for (const { verb, text } of ownPages) {
    assert.equal(readFileSync(`man/fentry-${verb.name}.1`, 'utf8'), text);
    const plain = text.replaceAll('\\-', '-');
    for (const long of Object.keys(verb.options)) assert.ok(plain.includes(`--${long}`), `${verb.name} --${long}`);
  }
});

const check = (text: string) => spawnSync('groff', ['-ww', '-z', '-man', '-Tutf8'], { input: text, encoding: 'utf8' });
const hasGroff = spawnSync('groff', ['--version']).status !== null;

test('groff takes them without a warning', hasGroff ? {} : { skip: 'groff is not installed' }, () => {
  for (const text of [page, ...ownPages.map((one) => one.text)]) {
    const { status, stderr } = check(text);
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
  }
});
