import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whyNothing, whyNothingRan } from './why-nothing.js';

const ended = { code: 0, began: true } as const;

test('an empty recording says what may be the reason', () => {
  assert.match(whyNothing(0, {}, ended), /started no Node process$/);
  assert.match(
    whyNothing(1, { function: ['handel*'], graph: ['x'] }, ended),
    /no function was called that matches -l handel\* -g x \(/,
  );
  assert.match(whyNothing(1, {}, ended), /no function of a module was called \(/);
});

test('it says that text without a file is not traced, and that a signal may take the last events', () => {
  const noFile =
    /\(code from eval, new Function, node -e, or vm without the name of a file is not traced: docs\/limitations\.md\)$/;
  assert.match(whyNothing(1, {}, ended), noFile);
  assert.match(whyNothing(1, { function: ['f'] }, ended), noFile);
  assert.match(
    whyNothing(1, { own: true }, { signal: 'SIGABRT' }),
    /matches --own \(--own leaves out the functions of installed packages; .*before the signal may be lost; code from eval, /,
  );
});

test('it names the events that did not happen', () => {
  const events = [
    { pattern: '*:*', enable: true },
    { pattern: 'gc', enable: false },
  ];
  assert.equal(whyNothing(1, { events }, ended), 'nothing was recorded: no event happened that matches -e all');
});

test('of processes that run it says what did not happen while they were recorded', () => {
  assert.equal(
    whyNothingRan({ graph: ['findOrder'] }),
    'nothing was recorded: no function was called that matches -g findOrder in this time',
  );
  const events = [{ pattern: 'gc:gc', enable: true }];
  assert.match(whyNothingRan({ events }), /: no event happened that matches -e gc:gc in this time$/);
});
