// Probes in the middle of a function that read a local variable and a property: at a breakpoint and at the site of a statement,
// against a plain conditional breakpoint of the inspector that reads the same.
import { measurePairs, spread } from './lib/pairs.mjs';
import { ProbedWork } from './lib/probed-work.mjs';
import { verdict } from './lib/verdict.mjs';

const PAIRS = Number(process.env.PAIRS ?? 21);

const work = new ProbedWork();
try {
  const plain = await work.start(['none']);
  const conditional = await work.start(['breakpoint']);
  const breakpoint = await work.probed('instrument=app', false);
  const statement = await work.probed('statement_sites=app', true);
  const call = await plain();
  for (const run of [conditional, breakpoint.run, statement.run]) for (let i = 0; i < 5; i++) await run();
  const pairs = await measurePairs(breakpoint.run, conditional, PAIRS);
  verdict({
    name: 'a probe at a breakpoint',
    ratio: (pairs.a - call) / (pairs.b - call),
    target: 'at most 1.20',
    detail: `${(pairs.a / 1000).toFixed(1)} us a hit, a plain conditional breakpoint ${(pairs.b / 1000).toFixed(1)}; ${spread(pairs, PAIRS)}; ${await breakpoint.counts()}`,
  });
  for (let i = 0; i < 5; i++) await statement.run(20_000);
  const sites = await measurePairs(() => statement.run(20_000), conditional, PAIRS);
  verdict({
    name: 'a probe at the site of a statement',
    ratio: (sites.a - call) / (sites.b - call),
    detail: `${sites.a.toFixed(0)} ns a hit, a plain conditional breakpoint ${(sites.b / 1000).toFixed(1)} us; ${await statement.counts()}`,
  });
} finally {
  work.end();
}
