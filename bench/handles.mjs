// What keeping the origin of each handle costs (FENTRY=handles): a timer that is set and cleared, and an await, in processes with
// fentry's control thread, with and without it.
import { fileURLToPath } from 'node:url';
import { FENTRY, output } from './lib/child.mjs';
import { measurePairs, spread } from './lib/pairs.mjs';
import { verdict } from './lib/verdict.mjs';

const PAIRS = Number(process.env.PAIRS ?? 7);
const PROGRAM = fileURLToPath(new URL('./fixtures/handles.mjs', import.meta.url));

const run = (parameters) =>
  JSON.parse(output(process.execPath, ['--import', FENTRY, PROGRAM], { env: { ...process.env, FENTRY: parameters } }));

for (const what of ['timer', 'await']) {
  const { a, b, ratio, ...range } = await measurePairs(
    () => run('handles')[what],
    () => run('trace_clock=local')[what],
    PAIRS,
  );
  verdict({
    name: `${what}, origins kept`,
    ratio,
    detail: `${a.toFixed(0)} ns against ${b.toFixed(0)} without; ${spread(range, PAIRS)}`,
  });
}
