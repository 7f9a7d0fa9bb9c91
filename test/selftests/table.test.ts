import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const { outcomeCell, outcomesOf, passed, passing, table } = await import(pathToFileURL('test/selftests/table.mjs').href);

const LOG = `=== Ftrace unit tests ===
[1] Basic trace clock test\t[PASS]
[2] (instance)  Basic trace clock test\t[FAIL]

# of passed:  1
`;

test('ftracetest’s log says how a test ended, at the top level and in an instance', () => {
  assert.deepEqual(outcomesOf(LOG), { top: 'PASS', instance: 'FAIL' });
  assert.deepEqual(outcomesOf(''), { top: undefined, instance: undefined });
});

test('a test passes where it was to run, and unsupported is not passed', () => {
  assert.equal(passed({ top: 'XFAIL' }, false), true);
  assert.equal(passed({ top: 'PASS' }, false), true);
  assert.equal(passed({ top: 'PASS' }, true), false);
  assert.equal(passed({ top: 'PASS', instance: 'UNSUPPORTED' }, true), false);
  assert.equal(passed({ top: undefined }, false), false);
});

test('a row says what is tested, how it ended in both modes and why', () => {
  const one = { name: '00basic/basic3.tc', description: 'Basic trace clock test' };
  const cells = { [one.name]: { real: outcomeCell(outcomesOf(LOG)), replaced: 'pass, pass' } };
  const page = table([one], cells, { [one.name]: 'no clock' });
  assert.equal(page.split('\n').at(-1), '| 00basic/basic3.tc | Basic trace clock test | pass, fail | pass, pass | no clock |');
  assert.deepEqual([passing(cells, 'real'), passing(cells, 'replaced')], [0, 1]);
});
