import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProcessFacts } from './process-facts.js';
import { refusal } from './refusal.js';

const NODE: ProcessFacts = {
  pid: 4711,
  state: 'S',
  uid: 1000,
  pids: [4711],
  handlesSigusr1: true,
  arguments: ['node', 'server.js'],
  environment: {},
  executable: 'node',
  node: '22.1.0',
  sameNetwork: true,
  seesAgent: true,
};

test('the owner of a Node process may attach to it, and root', () => {
  assert.equal(refusal(NODE, 1000), undefined);
  assert.equal(refusal(NODE, 0), undefined);
});

const CASES: readonly (readonly [Partial<ProcessFacts>, string, string])[] = [
  [{ uid: 1001 }, 'EPERM', 'process 4711 belongs to user 1001: only that user and root may attach to it'],
  [{ node: undefined, executable: 'python3' }, 'EINVAL', 'process 4711 does not run Node.js: it runs python3'],
  [{ node: '18.20.4' }, 'EINVAL', 'process 4711 runs Node.js 18.20.4: fentry needs 20 or newer'],
  [{ pids: [4711, 7] }, 'EXDEV', 'process 4711 is process 7 of a container: install fentry in the container and run it there'],
  [{ sameNetwork: false }, 'EXDEV', 'process 4711 is in another network namespace: nsenter -t 4711 -n fentry attach 4711'],
  [{ state: 'T' }, 'EAGAIN', 'process 4711 is stopped (SIGSTOP); kill -CONT resumes it'],
  [{ state: 'Z' }, 'ESRCH', 'process 4711 has ended'],
];

for (const [facts, errno, message] of CASES) {
  test(`refused: ${message}`, () => {
    const error = refusal({ ...NODE, ...facts }, 1000);
    assert.deepEqual([error?.errno, error?.message], [errno, message]);
  });
}
