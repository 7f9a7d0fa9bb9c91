// A `function` event, and a call under function_graph (entry and exit), in process, as multiples of reading the trace clock.
import { runBundled } from './lib/bundled.mjs';
import { verdict } from './lib/verdict.mjs';

const least = await runBundled('function-event');
const detail = (traced) =>
  `${(traced - least.idle).toFixed(1)} ns, a clock read ${least.clock.toFixed(1)} ns; the untraced call's ${least.idle.toFixed(1)} ns subtracted`;
const of = (traced) => (traced - least.idle) / least.clock;
verdict({
  name: 'function event, in clock reads',
  ratio: of(least.event),
  target: 'at most 1.60',
  detail: detail(least.event),
});
verdict({ name: 'function_graph call, in clock reads', ratio: of(least.graph), detail: detail(least.graph) });
for (const [name, traced] of [
  ['one subscriber', least.one],
  ['one subscriber with an exit callback', least.exits],
  ['ten subscribers', least.ten],
]) {
  verdict({ name: `function event and ${name}, in clock reads`, ratio: of(traced), detail: detail(traced) });
}
