// Filters of events that reject, as code: what one adds to a call that has the fields at hand, as multiples of reading the trace
// clock.
import { defineEvent } from '../build/src/events/define.js';
import { array, dynamic, one } from '../build/src/events/fields.js';
import { filterSource } from '../build/src/events/filter/filter-source.js';
import { parseFilter } from '../build/src/events/filter/parse-filter.js';
import { traceClock } from '../build/src/ring-buffer/index.js';
import { median } from './lib/pairs.mjs';
import { verdict } from './lib/verdict.mjs';

const SLICES = Number(process.env.SLICES ?? 200);
const CALLS = 20_000;

const event = defineEvent('bench', 'sample', {
  fields: { pid: one('int'), bytes: one('u64'), comm: array('char', 16), path: dynamic('char') },
  print: '""',
});
const VALUES = Array.from({ length: 1024 }, (_, i) => [i % 7, i * 1000, `node-${i}`, `/srv/shop/routes/cart-${i}.js`]);

/** A loop that gives each row of values to the filter: its text makes V8 keep type feedback for it alone. */
const loopOf = (name, filter) => {
  const constants = [];
  const source =
    filter === undefined
      ? 'false'
      : filterSource(parseFilter(event, filter), {
          operand: ({ name }) => name,
          constant: (value) => `constants[${constants.push(value) - 1}]`,
        });
  const pass = new Function('constants', `return (pid, bytes, comm, path) => ${source}; // ${name}`)(constants);
  return new Function(
    'pass',
    'values',
    'calls',
    `let sum = 0;
    for (let i = 0; i < calls; i++) {
      const row = values[i & 1023];
      if (pass(row[0], row[1], row[2], row[3])) sum++;
    }
    return sum; // ${name}`,
  ).bind(undefined, pass, VALUES);
};

const FILTERS = {
  'two integers': 'pid == 3 && bytes > 5000000',
  'two integers, four terms': '(pid == 3 || pid == 9) && (bytes > 5000000 || bytes < 0)',
  'a flag of 64 bits': 'bytes & 0x10000000000',
  'an equal text': 'comm == "nginx"',
  'the front of a text': 'path ~ "/usr/*"',
  'any part of a text': 'path ~ "*checkout*"',
  'a glob': 'path ~ "/srv/*/checkout-?.js"',
};

const clock = (calls) => {
  let latest = 0;
  for (let i = 0; i < calls; i++) latest = Math.max(latest, traceClock());
  return latest;
};
const loops = [clock, loopOf('none'), ...Object.entries(FILTERS).map(([name, filter]) => loopOf(name, filter))];
const taken = loops.map(() => []);
for (let slice = 0; slice < SLICES; slice++) {
  for (const [i, run] of loops.entries()) {
    const before = process.hrtime.bigint();
    run(CALLS);
    taken[i].push(Number(process.hrtime.bigint() - before) / CALLS);
  }
}
const [clockRead, none, ...filtered] = taken.map(median);
for (const [i, name] of Object.keys(FILTERS).entries()) {
  verdict({
    name: `filter, ${name}`,
    ratio: Math.max(0, filtered[i] - none) / clockRead,
    ...(i === 0 ? { target: 'at most 0.50' } : {}),
    detail: `${filtered[i].toFixed(1)} ns a call; ${none.toFixed(1)} ns without a filter, a clock read ${clockRead.toFixed(1)} ns`,
  });
}
