import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { VERSION } from '../base/version.js';
import { helpOf } from './help-rows.js';
import { manPage } from './man-page.js';
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

const groff = spawnSync('groff', ['-ww', '-z', '-man', '-Tutf8'], { input: page, encoding: 'utf8' });

test('groff takes it without a warning', groff.status === null ? { skip: 'groff is not installed' } : {}, () => {
  assert.deepEqual({ status: groff.status, stderr: groff.stderr }, { status: 0, stderr: '' });
});
