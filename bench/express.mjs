// The shop's requests per second (Express 5, SQLite), with idle sites against plain Node. Both servers run all the time,
// each pinned to the same CPU; the load goes to one after the other.
import { FENTRY } from './lib/child.mjs';
import { measurePairs, median, spread } from './lib/pairs.mjs';
import { Shop } from './lib/shop.mjs';
import { verdict } from './lib/verdict.mjs';

const PAIRS = Number(process.env.PAIRS ?? 15);

const plain = await Shop.start([]);
const idle = await Shop.start(['--import', FENTRY]);
try {
  for (const shop of [plain, idle]) await shop.warmUp();
  const pairs = await measurePairs(
    () => idle.load(2000),
    () => plain.load(2000),
    PAIRS,
  );
  verdict({
    name: 'express, requests a second',
    ratio: pairs.ratio,
    target: 'at least 0.99',
    detail: `${pairs.a.toFixed(0)} with idle sites, ${pairs.b.toFixed(0)} plain; ${spread(pairs, PAIRS)}`,
  });
  verdict({
    name: 'express, CPU time of a request',
    ratio: median(idle.costs.map((seconds, pair) => seconds / plain.costs[pair])),
    detail: `${(median(idle.costs) * 1e6).toFixed(0)} µs with idle sites, ${(median(plain.costs) * 1e6).toFixed(0)} µs plain, in the same ${PAIRS} pairs`,
  });
} finally {
  plain.end();
  idle.end();
}
