// The shop's requests per second (Express 5, SQLite), with idle sites against plain Node. Both servers run all the time,
// each pinned to the same CPU; the load goes to one after the other.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { FENTRY, hasCommand } from './lib/child.mjs';
import { requestsPerSecond } from './lib/http-load.mjs';
import { measurePairs, median, spread } from './lib/pairs.mjs';
import { verdict } from './lib/verdict.mjs';

const SHOP = fileURLToPath(new URL('../examples/shop/server.mjs', import.meta.url));
const PAIRS = Number(process.env.PAIRS ?? 15);
/** Requests after which the compilers have little left to do. */
const WARM_UP = 30_000;
const CART = JSON.stringify({ lines: [{ item: 7, quantity: 1 }] });
const HEADERS = 'Host: shop\r\nAccept: text/html\r\n';
const REQUESTS = [
  `GET /items/7 HTTP/1.1\r\n${HEADERS}\r\n`,
  `GET /items?q=iron HTTP/1.1\r\n${HEADERS}\r\n`,
  `POST /cart/price HTTP/1.1\r\n${HEADERS}Content-Type: application/json\r\nContent-Length: ${CART.length}\r\n\r\n${CART}`,
];

/** CPU time of a process and all its threads in seconds. */
const cpuOf = (pid) =>
  readdirSync(`/proc/${pid}/task`).reduce(
    (sum, task) => sum + Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]),
    0,
  ) / 1e9;

/** Starts the shop on a free port; resolves with the process and its port. */
const startShop = async (...flags) => {
  const command = hasCommand('taskset') ? ['taskset', '-c', '0', process.execPath] : [process.execPath];
  const shop = spawn(command[0], [...command.slice(1), ...flags, SHOP, '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface({ input: shop.stdout }), 'line');
  return { shop, port: Number(/:(\d+)$/.exec(line)[1]) };
};

const plain = await startShop();
const idle = await startShop('--import', FENTRY);
try {
  const cost = new Map([
    [plain, []],
    [idle, []],
  ]);
  /** Requests a second; the CPU time of one is kept aside. */
  const load = async (server, milliseconds) => {
    const before = cpuOf(server.shop.pid);
    const perSecond = await requestsPerSecond({ port: server.port, requests: REQUESTS, connections: 8, milliseconds });
    cost.get(server).push((cpuOf(server.shop.pid) - before) / ((perSecond * milliseconds) / 1000));
    return perSecond;
  };
  for (const server of [plain, idle]) {
    for (let served = 0; served < WARM_UP; served += await load(server, 1000));
    cost.get(server).length = 0;
  }
  const pairs = await measurePairs(
    () => load(idle, 2000),
    () => load(plain, 2000),
    PAIRS,
  );
  verdict({
    name: 'express, requests a second',
    ratio: pairs.ratio,
    target: 'at least 0.99',
    detail: `${pairs.a.toFixed(0)} with idle sites, ${pairs.b.toFixed(0)} plain; ${spread(pairs, PAIRS)}`,
  });
  const [idleCost, plainCost] = [cost.get(idle), cost.get(plain)];
  verdict({
    name: 'express, CPU time of a request',
    ratio: median(idleCost.map((seconds, pair) => seconds / plainCost[pair])),
    detail: `${(median(idleCost) * 1e6).toFixed(0)} µs with idle sites, ${(median(plainCost) * 1e6).toFixed(0)} µs plain, in the same ${PAIRS} pairs`,
  });
} finally {
  plain.shop.kill();
  idle.shop.kill();
}
