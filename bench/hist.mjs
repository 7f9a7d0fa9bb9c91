// An update of a hist table, as a multiple of writing an event of four integers, in process. The event reads the clock, an update
// gets the time of its event.
import { runBundled } from './lib/bundled.mjs';
import { verdict } from './lib/verdict.mjs';

const least = await runBundled('hist');
const rows = {
  one: ['one integer key'],
  two: ['two integer keys', 'at most 1.00'],
  sums: ['two keys, two sums'],
  three: ['three keys, one of 64 bits'],
  text: ['a text of 20 characters as key'],
  stack: ['a stack of 16 as key'],
  variable: ['a key, a variable with the time'],
  max: ['a key, onmax().save() of two'],
};
for (const [name, [what, target]] of Object.entries(rows)) {
  verdict({
    name: `hist update, ${what}`,
    ratio: least[name] / least.event,
    target,
    detail: `${least[name].toFixed(1)} ns / ${least.event.toFixed(1)} ns for an event of four integers (the clock: ${least.clock.toFixed(1)} ns)`,
  });
}
