// Probes at the patch sites of functions, in process, as multiples of reading the trace clock.
import { runBundled } from './lib/bundled.mjs';
import { verdict } from './lib/verdict.mjs';

const least = await runBundled('probes');
const rows = [
  ['entry', 'a probe at an entry'],
  ['numbers', 'with three arguments', 'at most 2.50'],
  ['text', 'one of them a text of 20 characters'],
  ['values', 'three arguments of no type'],
  ['result', 'a probe at a return, with $retval', 'at most 4.00'],
];
for (const [name, what, target] of rows) {
  const ns = least[name] - least.idle;
  verdict({
    name: `${what}, in clock reads`,
    ratio: ns / least.clock,
    target,
    detail: `${ns.toFixed(1)} ns, a clock read ${least.clock.toFixed(1)} ns; the call itself ${least.idle.toFixed(1)} ns subtracted`,
  });
}
