import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ErrorLog } from './error-log.js';

test('a refusal is shown with a caret under the offending word', () => {
  const log = new ErrorLog();
  log.log(6_332_279_999, 'trace_options', 'No such option', 'nosuch', 0);
  log.log(12_000_000_000, 'set_x', 'Field not found', 'foo == 1', 4);
  assert.equal(
    log.text(),
    '[    6.332279] trace_options: error: No such option\n  Command: nosuch\n           ^\n' +
      '[   12.000000] set_x: error: Field not found\n  Command: foo == 1\n               ^\n',
  );
});

test('it keeps the last eight and forgets when cleared', () => {
  const log = new ErrorLog();
  for (let i = 0; i < 10; i++) log.log(0, 'x', `error ${i}`, 'c', 0);
  assert.deepEqual(
    [...log.text().matchAll(/error (\d)/g)].map(([, n]) => n),
    ['2', '3', '4', '5', '6', '7', '8', '9'],
  );
  log.clear();
  assert.equal(log.text(), '');
});
