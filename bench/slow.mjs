// fentry slow: CPU time of one of the shop's requests while its turns are watched and none is too long, as a multiple of that of
// the same server without the watch, in rounds that take turns; and of fifty planted turns, how many are found with the function
// that held the loop.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { FENTRY } from './lib/child.mjs';
import { measurePairs, spread } from './lib/pairs.mjs';
import { Shop } from './lib/shop.mjs';
import { TracefsClient } from './lib/tracefs-client.mjs';
import { verdict } from './lib/verdict.mjs';

const PAIRS = Number(process.env.PAIRS ?? 15);
const MILLISECONDS = Number(process.env.MILLISECONDS ?? 1000);
/** Longer than any turn of the shop, and shorter than each planted one. */
const THRESHOLD = { shop: 50, planted: 40 };
const PLANTED = fileURLToPath(new URL('./fixtures/planted-turns.cjs', import.meta.url));

const sockets = mkdtempSync(join(tmpdir(), 'fentry-slow-'));
const clientOf = (pid) => new TracefsClient(join(sockets, `${pid}.sock`));
const turnsOf = async (tracefs) => JSON.parse(await tracefs.read('answers/slow.json')).turns;

async function measureWatch() {
  const shop = await Shop.start(['--import', FENTRY], { FENTRY_DIR: sockets });
  try {
    await shop.warmUp();
    const tracefs = clientOf(shop.pid);
    let slow = 0;
    const cost = (threshold) => async () => {
      await tracefs.write('answers/slow_ms', String(threshold));
      await shop.load(MILLISECONDS);
      if (threshold > 0) slow += (await turnsOf(tracefs)).length;
      return shop.costs.at(-1);
    };
    const measured = await measurePairs(cost(THRESHOLD.shop), cost(0), PAIRS);
    verdict({
      name: 'turns are watched, none too long',
      ratio: measured.ratio,
      target: 'at most 1.01',
      detail: `${(measured.a * 1e6).toFixed(1)} µs a request, ${(measured.b * 1e6).toFixed(1)} µs without; ${spread(measured, PAIRS)}; ${slow} turns were too long`,
    });
  } finally {
    shop.end();
  }
}

async function findPlanted() {
  const env = { ...process.env, FENTRY_DIR: sockets, FENTRY: `slow_ms=${THRESHOLD.planted}` };
  const program = spawn(process.execPath, ['--import', FENTRY, PLANTED], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const planted = [];
    for await (const line of createInterface({ input: program.stdout })) {
      if (line === 'over') break;
      const [name, begin, end] = line.split(' ');
      planted.push({ name, begin: Number(begin), end: Number(end) });
    }
    const turns = await turnsOf(clientOf(program.pid));
    const isIn = ({ name, begin, end }, { at, ms, functions }) => {
      const from = Date.parse(at);
      return from < end && from + ms > begin + 20 && functions.some(({ frame }) => frame.name === name);
    };
    const missed = planted.filter((one) => !turns.some((turn) => isIn(one, turn))).map(({ name }) => name);
    verdict({
      name: 'planted turns that are found',
      ratio: planted.length - missed.length,
      target: String(planted.length),
      detail: missed.length === 0 ? 'each with the function that held the loop' : `not ${missed.join(', ')}`,
    });
  } finally {
    program.kill();
  }
}

try {
  await measureWatch();
  await findPlanted();
} finally {
  rmSync(sockets, { recursive: true, force: true });
}
