import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { TRACE_OPTIONS } from './options.js';

const page = readFileSync('docs/options.md', 'utf8');
const rowOf = (name: string): string | undefined => page.split('\n').find((line) => line.split('|')[1]?.includes(`\`${name}\``));

test('docs/options.md has every option, its default, and whether it is refused', () => {
  for (const { name, value, refused } of TRACE_OPTIONS) {
    const row = rowOf(name);
    assert.ok(row, `${name} has a row`);
    assert.match(row, new RegExp(`\\| ${value ? 'on' : 'off'} \\|`), name);
    if (refused !== undefined && name !== 'test_nop_refuse') assert.match(row, /refused/, name);
    else assert.doesNotMatch(row, /refused/, name);
  }
});
