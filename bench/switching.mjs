// A server under load whose tracer is switched to `function` and back to `nop`, again and again: its requests a second against
// those of a twin that is never switched, loaded in turn on the same CPU. After each switch V8 first compiles again what the
// switch threw away: that is left out, as a warm-up is.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FENTRY } from './lib/child.mjs';
import { median } from './lib/pairs.mjs';
import { Shop } from './lib/shop.mjs';
import { TracefsClient } from './lib/tracefs-client.mjs';
import { verdict } from './lib/verdict.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const MEASURED = 2000;

const sockets = mkdtempSync(join(tmpdir(), 'fentry-bench-'));
const twin = await Shop.start(['--import', FENTRY], { FENTRY_DIR: sockets });
const shop = await Shop.start(['--import', FENTRY], { FENTRY_DIR: sockets });
const tracefs = new TracefsClient(join(sockets, `${shop.pid}.sock`));

/** One load of the shop between two of its twin: throughput and CPU time of a request, each as shop / twin. */
const compare = async () => {
  const twinLoads = [await twin.load(MEASURED)];
  const perSecond = await shop.load(MEASURED);
  twinLoads.push(await twin.load(MEASURED));
  const [before, after] = twin.costs.slice(-2);
  return { throughput: (2 * perSecond) / (twinLoads[0] + twinLoads[1]), cost: (2 * shop.costs.at(-1)) / (before + after) };
};

const print = (name, results) => {
  for (const [what, key] of [
    ['requests a second', 'throughput'],
    ['CPU time of a request', 'cost'],
  ]) {
    const ratios = results.map((result) => result[key]);
    const range = `${Math.min(...ratios).toFixed(3)} to ${Math.max(...ratios).toFixed(3)} in ${ratios.length} rounds`;
    verdict({ name: `${name}, ${what}`, ratio: median(ratios), detail: `against a server that is never switched; ${range}` });
  }
};

try {
  for (const one of [twin, shop]) await one.warmUp();
  const before = [];
  const traced = [];
  const after = [];
  for (let round = 0; round < ROUNDS; round++) before.push(await compare());
  for (let round = 0; round < ROUNDS; round++) {
    await tracefs.write('current_tracer', 'function');
    await shop.warmUp();
    traced.push(await compare());
    await tracefs.write('current_tracer', 'nop');
    await shop.warmUp();
    after.push(await compare());
  }
  print('before', before);
  print('function', traced);
  print('after nop', after);
} finally {
  twin.end();
  shop.end();
  rmSync(sockets, { recursive: true, force: true });
}
