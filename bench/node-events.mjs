// Node's own events: CPU time of one of the shop's requests with all events of a system enabled, as a multiple of that with none,
// in one process, in turn. The first row is fentry idle against plain Node.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FENTRY } from './lib/child.mjs';
import { measurePairs, spread } from './lib/pairs.mjs';
import { Shop } from './lib/shop.mjs';
import { TracefsClient } from './lib/tracefs-client.mjs';
import { verdict } from './lib/verdict.mjs';

const PAIRS = Number(process.env.PAIRS ?? 5);
const MILLISECONDS = Number(process.env.MILLISECONDS ?? 500);
/** Not Node's: the tracers' records. */
const OTHERS = ['ftrace'];

const sockets = mkdtempSync(join(tmpdir(), 'fentry-node-events-'));
const plain = await Shop.start([]);
const traced = await Shop.start(['--import', FENTRY], { FENTRY_DIR: sockets });
const tracefs = new TracefsClient(join(sockets, `${traced.pid}.sock`));

/** CPU seconds of one request. */
const cost = async (shop) => {
  await shop.load(MILLISECONDS);
  return shop.costs.at(-1);
};
const costWith = async (system) => {
  await tracefs.write(`events/${system}/enable`, '1');
  const taken = await cost(traced);
  await tracefs.write(`events/${system}/enable`, '0');
  return taken;
};
const report = (name, target, pairs) =>
  verdict({
    name,
    ratio: pairs.ratio,
    target,
    detail: `${(pairs.a * 1e6).toFixed(0)} to ${(pairs.b * 1e6).toFixed(0)} µs a request; ${spread(pairs, PAIRS)}`,
  });

try {
  for (const shop of [plain, traced]) await shop.warmUp();
  report(
    'node events off',
    'at most 1.02',
    await measurePairs(
      () => cost(traced),
      () => cost(plain),
      PAIRS,
    ),
  );
  const found = (await tracefs.read('available_events')).split('\n').map((line) => line.split(':')[0]);
  const systems = [...new Set(found)].filter((system) => system !== '' && !OTHERS.includes(system));
  for (const system of systems) {
    report(
      `events of ${system}`,
      undefined,
      await measurePairs(
        () => costWith(system),
        () => cost(traced),
        PAIRS,
      ),
    );
  }
} finally {
  plain.end();
  traced.end();
  rmSync(sockets, { recursive: true, force: true });
}
