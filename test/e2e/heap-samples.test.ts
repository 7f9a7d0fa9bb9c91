import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sandbox } from './support/program.js';

const PROGRAM = `function waste() {
  for (let i = 0; i < 3000; i++) globalThis.last = new Array(2000).fill(i);
}
exports.waste = waste;
let turns = 0;
const timer = setInterval(() => {
  waste();
  if (++turns === 5) clearInterval(timer);
}, 5);
`;

test('samples of the heap are recorded until the program ends, and can be summed up by function', async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file('program.cjs', PROGRAM);
  const recorded = await sandbox.fentry('record', '-o', 'heap.dat', '-e', 'kmem:heap_sample', process.execPath, program);
  assert.equal(recorded.code, 0, recorded.stderr);
  const { stdout } = await sandbox.fentry('report', '-i', 'heap.dat');
  const samples = [...stdout.matchAll(/ heap_sample: +(\S+) at=\S+\/program\.cjs:(\d+):\d+ bytes=(\d+) ordinal=(\d+)$/gm)];
  assert.ok(samples.length > 0, stdout);
  assert.ok(
    samples.every(([, name, line, bytes]) => Number(bytes) > 0 && (name === 'waste' ? line === '1' : line === '5')),
    stdout,
  );
  assert.ok(samples.some(([, name]) => name === 'waste'));
});

test('a histogram sums the bytes of functions up', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(`${PROGRAM}turns = -1e9; setInterval(() => {}, 1000);`);
  const trace = sandbox.client(pid);
  await trace.write('events/kmem/heap_sample/trigger', 'hist:keys=function,at:vals=bytes');
  let counted = '';
  for (const end = Date.now() + 20_000; !counted.includes('waste') && Date.now() < end; ) {
    counted = await trace.read('events/kmem/heap_sample/hist');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.match(counted, /\{ function: waste +, at: \S+\/program\.cjs:1:\d+ +\} hitcount: +\d+ +bytes: +\d{6,}\n/);
});
