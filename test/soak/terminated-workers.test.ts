import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Sandbox } from '../e2e/support/program.js';

const SECONDS = Number(process.env['SOAK_SECONDS'] ?? 8);
/** ES modules that a worker loads: it is ended in the midst of that, too. */
const MODULES = 60;

/** Threads that load modules, then are busy; each lives at most a second, and another takes its place. */
const PROGRAM = `
import { Worker } from 'node:worker_threads';
let ended = 0;
process.on('exit', () => console.log('ended', ended));
async function generations() {
  for (;;) {
    const worker = new Worker(new URL('./worker.mjs', import.meta.url));
    worker.on('error', (error) => console.error(error));
    await new Promise((resolve) => setTimeout(resolve, 1000 * Math.random()));
    await worker.terminate();
    ended++;
  }
}
for (let i = 0; i < 6; i++) generations();
function beat(n) { for (let i = 0; i < 1000; i++) n = step(n); return n; }
function step(n) { return n + 1; }
setInterval(beat, 2, 0);
process.stdin.once('data', () => process.exit(0));
`;

const WORKER = `
function work(n) { return render(n) + 1; }
function render(n) { return n * 2; }
for (;;) {
  const end = performance.now() + 20;
  while (performance.now() < end) work(1);
  await new Promise((resolve) => setTimeout(resolve, 1));
}
`;

test('workers are terminated several times a second, loading or busy, while the tracer is switched: the process lives', async (t) => {
  const sandbox = new Sandbox(t);
  const imports = Array.from({ length: MODULES }, (_, i) => {
    sandbox.file(`part${i}.mjs`, `export function part${i}() { return ${i}; }\n`);
    return `import './part${i}.mjs';\n`;
  });
  sandbox.file('worker.mjs', imports.join('') + WORKER);
  const program = await sandbox.start(PROGRAM, {}, 'program.mjs');
  const client = sandbox.client(program.pid);
  let stderr = '';
  program.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const died = new Promise((resolve) => program.once('close', resolve));

  const end = Date.now() + SECONDS * 1000;
  for (let round = 0; Date.now() < end && program.exitCode === null && program.signalCode === null; round++) {
    // A thread that the machine does not let run for a second is told of as one that is blocked; what died, below.
    const written = client.write('current_tracer', ['function', 'nop', 'function_graph', 'nop'][round % 4]!).catch((error) => {
      if (!['ETIMEDOUT', 'ENODEV'].includes(error.errno)) throw error;
    });
    await Promise.race([written, died]);
    await sleep(20);
  }
  program.stdin!.write('end\n');
  await died;
  assert.deepEqual([program.signalCode, program.exitCode, stderr], [null, 0, '']);
});
