// Node's own events: CPU time of one of the shop's requests with all events of a system on, as a multiple of that of a twin whose
// events were never on, loaded in turn on the same CPU. The first and the last row compare the two with all events off: before
// any was on, and after all were.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FENTRY } from './lib/child.mjs';
import { measurePairs, spread } from './lib/pairs.mjs';
import { Shop } from './lib/shop.mjs';
import { TracefsClient } from './lib/tracefs-client.mjs';
import { verdict } from './lib/verdict.mjs';

const PAIRS = Number(process.env.PAIRS ?? 3);
const MILLISECONDS = Number(process.env.MILLISECONDS ?? 500);
/**
 * The systems that are measured, with commas between them; `off` are the rows of all events off. Absent: all of it, in three
 * minutes.
 */
const ROWS = process.env.ROWS?.split(',');
const isWanted = (row) => ROWS === undefined || ROWS.includes(row);
/** Where a difference of a hundredth matters. */
const MORE = { pairs: 5 * PAIRS, milliseconds: 2 * MILLISECONDS };
/** Not Node's: the tracers' records. */
const OTHERS = ['ftrace'];

const sockets = mkdtempSync(join(tmpdir(), 'fentry-node-events-'));
const twin = await Shop.start(['--import', FENTRY], { FENTRY_DIR: sockets });
const shop = await Shop.start(['--import', FENTRY], { FENTRY_DIR: sockets });
const tracefs = new TracefsClient(join(sockets, `${shop.pid}.sock`));

/** CPU seconds of one request. */
const cost = async (server, milliseconds) => {
  await server.load(milliseconds);
  return server.costs.at(-1);
};
async function compare(name, { target, pairs = PAIRS, milliseconds = MILLISECONDS } = {}) {
  const measured = await measurePairs(
    () => cost(shop, milliseconds),
    () => cost(twin, milliseconds),
    pairs,
  );
  verdict({
    name,
    ratio: measured.ratio,
    target,
    detail: `${(measured.a * 1e6).toFixed(0)} µs a request, the twin's ${(measured.b * 1e6).toFixed(0)} µs; ${spread(measured, pairs)}`,
  });
}
async function compareWith(name, path) {
  await tracefs.write(path, '1');
  // V8 compiles again what the change threw away.
  await shop.load(MILLISECONDS);
  await compare(name);
  await tracefs.write(path, '0');
}

try {
  for (const one of [twin, shop]) await one.warmUp();
  if (isWanted('off')) await compare('all events off, before', MORE);
  const found = (await tracefs.read('available_events')).split('\n').map((line) => line.split(':')[0]);
  const systems = [...new Set(found)].filter((system) => system !== '' && !OTHERS.includes(system));
  for (const system of systems.filter(isWanted)) await compareWith(`events of ${system}`, `events/${system}/enable`);
  if (isWanted('all')) await compareWith('all events', 'events/enable');
  if (isWanted('off')) {
    if (!isWanted('all')) await compareWith('all events', 'events/enable');
    await shop.warmUp();
    await compare('all events off again', { target: 'at most 1.02', ...MORE });
  }
} finally {
  twin.end();
  shop.end();
  rmSync(sockets, { recursive: true, force: true });
}
