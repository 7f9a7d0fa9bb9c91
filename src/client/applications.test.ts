import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ApplicationTraits, applicationsOf, isAsking, notStarting } from './applications.js';
import { programOf } from './program.js';

/** A process with the command line, and its ancestors, the parent first. */
const candidate = (pid: number, command: string, ...ancestors: number[]): ApplicationTraits => ({
  pid,
  ancestors,
  program: programOf(command.startsWith('node') ? command.split(' ') : [command], '/home/ann/shop'),
});

const CASES: readonly (readonly [what: string, processes: readonly ApplicationTraits[], pids: readonly number[]])[] = [
  ['the only one', [candidate(7, 'node server.js', 1)], [7]],
  [
    'what npm started through a shell and tsx',
    [
      candidate(7, 'npm run dev', 1),
      candidate(9, 'node node_modules/tsx/dist/cli.mjs src/server.ts', 8, 7, 1),
      candidate(10, 'node --require x src/server.ts', 9, 8, 7, 1),
    ],
    [10],
  ],
  ['the child of node --watch', [candidate(7, 'node --watch server.js', 1), candidate(8, 'node server.js', 7, 1)], [8]],
  ["Next's server", [candidate(7, 'node node_modules/.bin/next dev', 1), candidate(8, 'next-server (v15.1.0)', 7, 1)], [8]],
  [
    'a server that an installed program runs in its own process',
    [candidate(7, 'npm run dev'), candidate(8, 'node node_modules/.bin/vite', 7)],
    [8],
  ],
  ['both of two services', [candidate(7, 'node a.js', 1), candidate(8, 'node b.js', 1)], [7, 8]],
  [
    'a cluster whole, without the tool that it runs',
    [candidate(7, 'node a.js', 1), candidate(8, 'node a.js', 7, 1), candidate(9, 'node node_modules/jest-worker/x.js', 7, 1)],
    [7, 8],
  ],
  [
    "what pm2's daemon has started",
    [candidate(7, 'PM2 v5.3.0: God Daemon (/root/.pm2)', 1), candidate(8, 'node /home/ann/shop/server.js', 7, 1)],
    [8],
  ],
  ['npm where nothing else runs', [candidate(7, 'npm run dev', 1)], [7]],
];

for (const [what, processes, pids] of CASES) {
  test(`chosen is ${what}`, () => {
    assert.deepEqual(
      applicationsOf(processes).map(({ pid }) => pid),
      pids,
    );
  });
}

test('npm and tsx above an application are no choice, a tool that it runs is one', () => {
  const server = candidate(10, 'node src/server.ts', 9, 7, 1);
  const wrappers = [candidate(7, 'npm run dev', 1), candidate(9, 'node node_modules/tsx/dist/cli.mjs src/server.ts', 7, 1)];
  const worker = candidate(11, 'node node_modules/jest-worker/x.js', 10, 9, 7, 1);
  assert.deepEqual(notStarting(server, [...wrappers, server]), []);
  assert.deepEqual(notStarting(server, [...wrappers, server, worker]), [worker]);
});

test('the command that asks and the npx that runs it are not among the processes', () => {
  const asking = [9, 8, 7, 1];
  assert.equal(isAsking(candidate(9, 'node cli.js ps', 8, 7, 1), asking), true);
  assert.equal(isAsking(candidate(7, 'npm exec fentry ps', 1), asking), true);
  assert.equal(isAsking(candidate(7, 'node editor.js', 1), asking), false, 'an editor with a terminal in it');
  assert.equal(isAsking(candidate(6, 'npm run dev', 1), asking), false);
});
