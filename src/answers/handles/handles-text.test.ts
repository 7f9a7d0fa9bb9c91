import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Handle, HandlesAnswer } from './handles-answer.js';
import { handlesText } from './handles-text.js';

const place = { file: '/srv/app/lib/a.mjs', line: 4, column: 3 };
const handle = (given: Partial<Handle>): Handle => ({ kind: 'timeout', keeps: true, what: 'of 5 ms', ...given });
const text = (handles: readonly Handle[], all = false): string => {
  const thread = { thread: 0, name: '', stoppedMs: 1, hasOrigins: true, handles };
  const value: HandlesAnswer = { answer: 'handles', version: 1, pid: 1, application: '/srv/app', threads: [thread] };
  return handlesText(value, { all }).join('\n');
};

test('what keeps the thread alive comes first, and others only if they are the application’s', () => {
  const own = handle({ keeps: false, calls: { name: 'flush', place, isOwn: true, variables: [] } });
  const nodes = handle({ keeps: false, what: 'of 9 ms', calls: { name: 'check', package: 'node', isOwn: false, variables: [] } });
  assert.equal(
    text([handle({}), own, nodes]),
    `main thread: 1 thing keeps it alive

timeout of 5 ms

unref'd, and harmless:

timeout of 5 ms, calls flush  lib/a.mjs:4

1 thing more of packages and of Node is unref'd; --all shows it`,
  );
  assert.match(
    text([nodes], true),
    /^main thread: nothing keeps it alive\n\nunref'd, and harmless:\n\ntimeout of 9 ms, calls check \[node\]$/,
  );
});

test('the stack of an origin begins with the caller of Node’s function', () => {
  const stack = [
    { name: 'setTimeout', package: 'node', isOwn: false },
    { name: 'make\u001b', place, isOwn: true },
  ];
  assert.equal(
    text([handle({ made: { ageMs: 1234, stack } })]),
    `main thread: 1 thing keeps it alive

timeout of 5 ms
    made 1.2 s ago by
      make^[  lib/a.mjs:4`,
  );
});

test('those that differ only in when they are due are one paragraph', () => {
  const every = (due: string, name: string) =>
    handle({
      kind: 'interval',
      what: `every 5.0 s, ${due}`,
      calls: { name: 'poll', place, isOwn: true, variables: [{ name: 'host', value: `"${name}"` }] },
    });
  assert.equal(
    text([every('due in 7 ms', 'a'), every('overdue', 'a'), every('due in 9 ms', 'b'), every('due in 1.0 s', 'a')]),
    `main thread: 4 things keep it alive

3 × interval every 5.0 s, due in 7 ms, calls poll  lib/a.mjs:4
    host = "a"

interval every 5.0 s, due in 9 ms, calls poll  lib/a.mjs:4
    host = "b"`,
  );
});
