// A handler of a script, as a multiple of a read of the clock, in process: without the site that calls it.
import { runBundled } from './lib/bundled.mjs';
import { verdict } from './lib/verdict.mjs';

const least = await runBundled('script-handlers');
const rows = {
  name: ['a count by the name of a function', 'at most 1.20'],
  fresh: ['a count by a fresh text of 20 characters', 'at most 3.00'],
  global: ['n++', 'at most 1.50'],
  rejected: ['a hit that a filter rejects', 'at most 0.60'],
  printf: ['printf of two integers', 'at most 2.60'],
  latency: ['entry and return with a histogram of latency', 'at most 5.00'],
};
for (const [name, [what, target]] of Object.entries(rows)) {
  verdict({
    name: `script, ${what}`,
    ratio: least[name] / least.clock,
    target,
    detail: `${least[name].toFixed(1)} ns / ${least.clock.toFixed(1)} ns for a read of the clock`,
  });
}
