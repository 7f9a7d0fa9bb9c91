// A tracepoint that is off, and events that are recorded or rejected by a filter, in process, as multiples of reading the trace
// clock; and tracePrintk() in a program that has fentry.
import { fileURLToPath } from 'node:url';
import { runBundled } from './lib/bundled.mjs';
import { FENTRY, output } from './lib/child.mjs';
import { verdict } from './lib/verdict.mjs';

const least = await runBundled('events');
const rows = [
  ['off', 'a tracepoint that is off', 'at most 0.05'],
  ['numbers', 'an event with four integers', 'at most 1.60'],
  ['text', 'an event with a text of 20 characters', 'at most 2.50'],
  ['rejected', 'an event that a filter on two fields rejects', 'at most 0.50'],
];
for (const [name, what, target] of rows) {
  const ns = least[name] - least.empty;
  verdict({
    name: `${what}, in clock reads`,
    ratio: ns / least.clock,
    target,
    detail: `${ns.toFixed(1)} ns, a clock read ${least.clock.toFixed(1)} ns; the loop's ${least.empty.toFixed(1)} ns subtracted`,
  });
}

const fixture = fileURLToPath(new URL('fixtures/trace-printk.mjs', import.meta.url));
const marks = JSON.parse(
  output(process.execPath, ['--import', FENTRY, fixture], { env: { ...process.env, FENTRY_URL: FENTRY } }),
);
const calls = [
  ['printk', 'tracePrintk() with an integer and a text'],
  ['mark', 'traceMarker() with a text of 30'],
  ['printkOff', 'tracePrintk() while tracing_on is 0'],
];
for (const [name, what] of calls) {
  verdict({
    name: `${what}, in clock reads`,
    ratio: marks[name] / least.clock,
    detail: `${marks[name].toFixed(0)} ns (median), a clock read ${least.clock.toFixed(1)} ns`,
  });
}
