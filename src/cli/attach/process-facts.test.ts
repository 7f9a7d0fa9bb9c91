import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspectorOptions } from './inspector-options.js';
import { listeningSockets } from './listening-ports.js';
import { nodeVersionIn, releaseIn } from './node-version.js';
import { processFacts, statusFacts } from './process-facts.js';

test('the status of a process says whose it is, and whether SIGUSR1 would end it', () => {
  const status = 'Name:\tnode\nState:\tS (sleeping)\nUid:\t1000\t1001\t1000\t1000\nNSpid:\t4711\t7\nSigCgt:\t0000000100004602\n';
  assert.deepEqual(statusFacts(status), { state: 'S', uid: 1001, pids: [4711, 7], handlesSigusr1: true });
  assert.equal(statusFacts(status.replace('4602', '4402')).handlesSigusr1, false);
});

test('Node is known by the place of its source that its executable names', () => {
  assert.equal(releaseIn('…nodejs.org/download/release/v22.1.0/node-v22.1.0.tar.gz…'), '22.1.0');
  assert.equal(releaseIn('…nodejs.org/download/nightly/v27.0.0-nightly2026/node-v27.0.0-nightly2026.tar.gz…'), '27.0.0');
  assert.equal(releaseIn('CPython'), undefined);
  assert.equal(nodeVersionIn(process.pid), process.versions.node);
});

test('a process that is not there has no facts', () => {
  assert.equal(processFacts(2 ** 22 + 1, process.execPath), undefined);
});

test('only listening sockets count', () => {
  const text = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:240D 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 12345 1 0 100 0 0 10 0
   1: 0100007F:240D 0100007F:9C40 01 00000000:00000000 00:00000000 00000000     0        0 12346 1 0 100 0 0 10 0
`;
  assert.deepEqual(listeningSockets(text), [{ port: 9229, inode: '12345' }]);
});

const OPTIONS: readonly (readonly [string, number, boolean])[] = [
  ['node server.js', 9229, false],
  ['node --inspect server.js', 9229, true],
  ['node --inspect=0.0.0.0:9300 server.js', 9300, true],
  ['node --inspect-port=0 server.js', 0, false],
  ['node server.js --inspect=1234', 9229, false],
];

for (const [command, port, listens] of OPTIONS) {
  test(`${command}: its inspector ${listens ? 'listens' : 'would listen'} on ${port}`, () => {
    assert.deepEqual(inspectorOptions(command.split(' ')), { port, listens });
  });
}

test('the command line is stronger than NODE_OPTIONS', () => {
  assert.deepEqual(inspectorOptions(['node', '--inspect-port=1', 'a.js'], '--inspect-port=2'), { port: 1, listens: false });
});
