import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProfiledFunction } from '../ftrace/function-profile.js';
import { profileLines } from './profile-lines.js';

const NAMES = ['ksys_write', 'a_name_of_more_than_thirty_characters'];
const us = 1000;

/** The row of a function whose calls took so long, in microseconds. */
const row = (n: number, ...times: number[]): ProfiledFunction => ({
  n,
  hits: times.length,
  time: times.reduce((sum, time) => sum + time * us, 0),
  squares: times.reduce((sum, time) => sum + (time * us) ** 2, 0),
});
const text = (rows: readonly ProfiledFunction[], threshold = 0): string =>
  [...profileLines(rows, (n) => NAMES[n]!, threshold)].join('');

test('the columns stand where the kernel puts them', () => {
  assert.equal(
    text([row(0, 4000.017, 2000.001, 8434.552), row(1, 100, 300), row(0, 9.695)]),
    `  Function                               Hit    Time            Avg             s^2
  --------                               ---    ----            ---             ---
  ksys_write                               3    14434.57 us     4811.523 us     10844768 us 
  a_name_of_more_than_thirty_cha           2    400.000 us      200.000 us      20000.00 us 
  ksys_write                               1    9.695 us        9.695 us        0.000 us    
`,
  );
});

test('with tracing_thresh only what takes that long on average is shown', () => {
  assert.equal(text([row(0, 100, 300), row(1, 199.999)], 200 * us).split('\n').length, 4);
});

test('calls that took the same time have no variance, however large the sums', () => {
  const alike = { n: 0, hits: 1e6, time: 1e6 * 1234567, squares: 1e6 * 1234567 ** 2 };
  assert.match(text([alike]), / 0\.\d{3} us +\n$/);
});

test('a call that has not ended counts as a hit without time', () => {
  assert.match(text([{ n: 0, hits: 1, time: 0, squares: 0 }]), / 1 {4}0\.000 us {8}0\.000 us {8}0\.000 us {4}\n$/);
});
