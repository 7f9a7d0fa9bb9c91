import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { functionRecord, graphEntry, graphExit, PageBuilder } from '../../src/output/trace-dat/testing/page-builder.js';
import { temporaryFolder, writeRecording } from '../../src/output/trace-dat/testing/recording.js';

const SCRIPT = fileURLToPath(new URL('../../../test/trace-dat/read-with-libkshark.py', import.meta.url));
const MAIN = 0xffffffff81000000n;
const F = 0xffffffff81000100n;
const T = 12_345_000_000_000n;

const hasLibrary = spawnSync('python3', ['-c', 'import ctypes; ctypes.CDLL("libkshark.so.2")']).status === 0;

test('KernelShark reads tasks, functions, the graph and lost events', {
  skip: hasLibrary ? false : 'python3 or libkshark (apt-get install kernelshark) is missing',
}, (t) => {
  const main = new PageBuilder()
    .event(T, graphEntry(4711, MAIN, 0, 0, ['1']))
    .event(T + 100n, graphEntry(4711, F, 1, 0))
    .event(T + 1100n, graphExit(4711, F, 1, T + 100n, T + 1100n, 0, '42'))
    .event(T + 2000n, graphExit(4711, MAIN, 0, T, T + 2000n, 0));
  const worker = new PageBuilder()
    .event(T + 3000n, functionRecord(4712, F, MAIN, ['x']))
    .missed(5)
    .event(T + 4000n, functionRecord(4712, F, MAIN));
  const path = writeRecording(temporaryFolder(t), [main.bytes(), worker.bytes()], {
    kallsyms: ['ffffffff81000000 t main\nffffffff81000100 t Class.f\t[express]\nffffffff81000200 t end\n'],
    cmdlines: [
      [4711, 'node'],
      [4712, 'worker 1'],
    ],
  });
  const { stdout, stderr } = spawnSync('python3', [SCRIPT, path], { encoding: 'utf8' });
  assert.equal(stderr, '');
  assert.deepEqual(stdout.trim().split('\n'), [
    'node 4711 ftrace/funcgraph_entry |  main() {',
    'node 4711 ftrace/funcgraph_entry 1.000 us   |    Class.f();',
    'node 4711 ftrace/funcgraph_exit 1.000 us   |    }',
    'node 4711 ftrace/funcgraph_exit 2.000 us   |  }',
    'worker 1 4712 ftrace/function Class.f <-- main',
    'worker 1 4712 missed_events missed_events=5',
    'worker 1 4712 ftrace/function Class.f <-- main',
  ]);
});
