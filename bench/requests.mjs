// fentry requests: CPU time of one of the shop's requests while it is followed, as a multiple of that of a twin that is not,
// loaded in turn on the same CPU. fentry's own thread, which reads the records and sums them up, is part of it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { FENTRY } from './lib/child.mjs';
import { measurePairs, spread } from './lib/pairs.mjs';
import { Shop } from './lib/shop.mjs';
import { verdict } from './lib/verdict.mjs';

const PAIRS = Number(process.env.PAIRS ?? 7);
const MILLISECONDS = Number(process.env.MILLISECONDS ?? 500);
const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
/** Until the command follows the requests. */
const SETTLING = 3000;

const sockets = mkdtempSync(join(tmpdir(), 'fentry-requests-'));
const env = { FENTRY_DIR: sockets };
const twin = await Shop.start(['--import', FENTRY], env);
const shop = await Shop.start(['--import', FENTRY], env);
const cost = (server) => async () => {
  await server.load(MILLISECONDS);
  return server.costs.at(-1);
};

try {
  for (const one of [twin, shop]) await one.warmUp();
  const command = spawn(process.execPath, [CLI, 'requests', '--pid', String(shop.pid), '-d', '3600', '--json'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let answer = '';
  command.stdout.setEncoding('utf8').on('data', (text) => {
    answer += text;
  });
  await sleep(SETTLING);
  await shop.load(MILLISECONDS);
  const measured = await measurePairs(cost(shop), cost(twin), PAIRS);
  command.kill('SIGINT');
  await once(command, 'close');
  const { finished, lost } = JSON.parse(answer);
  verdict({
    name: 'requests are followed',
    ratio: measured.ratio,
    detail: `${(measured.a * 1e6).toFixed(0)} µs a request, the twin's ${(measured.b * 1e6).toFixed(0)} µs; ${spread(measured, PAIRS)}; ${finished} requests, ${lost} events lost`,
  });
} finally {
  twin.end();
  shop.end();
  rmSync(sockets, { recursive: true, force: true });
}
