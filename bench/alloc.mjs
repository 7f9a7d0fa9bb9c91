// fentry alloc: CPU time of one of the shop's requests while V8 samples what is allocated, as a multiple of that of a twin that
// is not sampled, loaded in turn on the same CPU; first while all is counted, then while only what lives on is. Then how near
// the estimates come to what a program allocates.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { FENTRY } from './lib/child.mjs';
import { measurePairs, spread } from './lib/pairs.mjs';
import { Shop } from './lib/shop.mjs';
import { TracefsClient } from './lib/tracefs-client.mjs';
import { verdict } from './lib/verdict.mjs';

const PAIRS = Number(process.env.PAIRS ?? 7);
const MILLISECONDS = Number(process.env.MILLISECONDS ?? 500);
/** Until all threads are sampled. */
const SETTLING = 500;
/** Seconds of the sampling; in the first 10 s of them all that is allocated is counted. */
const SECONDS = 600;
const COUNTED = 10_000;
const KNOWN = fileURLToPath(new URL('./fixtures/known-allocations.cjs', import.meta.url));

const sockets = mkdtempSync(join(tmpdir(), 'fentry-alloc-'));
const env = { FENTRY_DIR: sockets };
const clientOf = (pid) => new TracefsClient(join(sockets, `${pid}.sock`));

/** Pairs of loads: of the sampled server, and of its twin. */
async function pairs(shop, twin, most) {
  const cost = (server) => async () => {
    await server.load(MILLISECONDS);
    return server.costs.at(-1);
  };
  return measurePairs(cost(shop), cost(twin), most);
}

const report = (name, measured, count) =>
  verdict({
    name,
    ratio: measured.ratio,
    detail: `${(measured.a * 1e6).toFixed(0)} µs a request, the twin's ${(measured.b * 1e6).toFixed(0)} µs; ${spread(measured, count)}`,
  });

async function measureCost() {
  const twin = await Shop.start(['--import', FENTRY], env);
  const shop = await Shop.start(['--import', FENTRY], env);
  try {
    for (const one of [twin, shop]) await one.warmUp();
    const read = new AbortController();
    const asked = clientOf(shop.pid)
      .read(`answers/allocations_seconds/${SECONDS}.json`, read.signal)
      .catch(() => {});
    const began = performance.now();
    await sleep(SETTLING);
    const most = Math.min(PAIRS, Math.floor((COUNTED - SETTLING) / (2 * MILLISECONDS)) - 1);
    report('all that is allocated is counted', await pairs(shop, twin, most), most);
    await sleep(Math.max(0, began + COUNTED + SETTLING - performance.now()));
    report('what lives on is counted', await pairs(shop, twin, PAIRS), PAIRS);
    read.abort();
    await asked;
  } finally {
    twin.end();
    shop.end();
  }
}

async function measureEstimate() {
  const child = spawn(process.execPath, ['--no-opt', '--no-maglev', '--import', FENTRY, KNOWN], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const bytes = () =>
    new Promise((resolve) => {
      child.once('message', resolve);
      child.send('bytes');
    });
  try {
    await new Promise((resolve) => child.once('message', resolve));
    const asked = clientOf(child.pid).read('answers/allocations_seconds/4.json');
    await sleep(SETTLING);
    const [before, began] = [await bytes(), performance.now()];
    await sleep(1000);
    const known = ((await bytes()) - before) / ((performance.now() - began) / 1000);
    const [thread] = JSON.parse(await asked).threads;
    const one = thread.functions.find(({ name }) => name === 'allocate');
    const estimated = (one?.allocated ?? 0) / thread.allocatedSeconds;
    verdict({
      name: 'estimated bytes a second',
      ratio: estimated / known,
      detail: `of what the program knows: ${(known / 1e6).toFixed(0)} MB/s, estimated ${(estimated / 1e6).toFixed(0)} MB/s`,
    });
  } finally {
    child.kill();
  }
}

try {
  await measureCost();
  await measureEstimate();
} finally {
  rmSync(sockets, { recursive: true, force: true });
}
