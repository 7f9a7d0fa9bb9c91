// A `function` event, and a call under function_graph (entry and exit), in process, as multiples of reading Node's clock: the
// trace clock may be the processor's counter.
import { runBundled } from './lib/bundled.mjs';
import { verdict } from './lib/verdict.mjs';

const least = await runBundled('function-event');
const detail = (traced) =>
  `${(traced - least.idle).toFixed(1)} ns, hrtime ${least.hrtime.toFixed(1)} ns, the trace clock ${least.clock.toFixed(1)} ns${least.notChosen ? ` (${least.notChosen})` : ''}; the untraced call's ${least.idle.toFixed(1)} ns subtracted`;
const of = (traced) => (traced - least.idle) / least.hrtime;
verdict({
  name: 'function event, in reads of hrtime',
  ratio: of(least.event),
  target: 'at most 1.10',
  detail: detail(least.event),
});
verdict({ name: 'function_graph call, in reads of hrtime', ratio: of(least.graph), detail: detail(least.graph) });
for (const [name, traced] of [
  ['one subscriber', least.one],
  ['one subscriber with an exit callback', least.exits],
  ['ten subscribers', least.ten],
]) {
  verdict({ name: `function event and ${name}, in reads of hrtime`, ratio: of(traced), detail: detail(traced) });
}
