// The latency tracers while they are on: what they add to a turn of the event loop, and to a promise reaction, functions not
// traced. While they are off they cost nothing: no hook is there.
import { fileURLToPath } from 'node:url';
import { FENTRY, output } from './lib/child.mjs';
import { verdict } from './lib/verdict.mjs';

const PROGRAM = fileURLToPath(new URL('./fixtures/loop-turns.cjs', import.meta.url));

const measure = (parameters) =>
  JSON.parse(output(process.execPath, ['--import', FENTRY, PROGRAM], { env: { ...process.env, FENTRY: parameters } }));

const off = measure('');
for (const tracer of ['irqsoff', 'wakeup', 'wakeup_dl']) {
  const on = measure(`ftrace=${tracer} trace_options=nofunction-trace`);
  for (const what of ['turn', 'reaction']) {
    verdict({
      name: `${tracer}, a ${what}`,
      ratio: on[what] / off[what],
      detail: `${on[what].toFixed(0)} ns, ${off[what].toFixed(0)} ns with the tracer off`,
    });
  }
}
