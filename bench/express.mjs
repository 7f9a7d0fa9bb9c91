// The shop's requests per second (Express 5, SQLite), with idle sites against plain Node. Both servers run all the time,
// each pinned to the same CPU; the load goes to one after the other.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { FENTRY, hasCommand } from './lib/child.mjs';
import { requestsPerSecond } from './lib/http-load.mjs';
import { measurePairs, spread } from './lib/pairs.mjs';
import { verdict } from './lib/verdict.mjs';

const SHOP = fileURLToPath(new URL('../examples/shop/server.mjs', import.meta.url));
const PAIRS = Number(process.env.PAIRS ?? 15);
const CART = JSON.stringify({ lines: [{ item: 7, quantity: 1 }] });
const HEADERS = 'Host: shop\r\nAccept: text/html\r\n';
const REQUESTS = [
  `GET /items/7 HTTP/1.1\r\n${HEADERS}\r\n`,
  `GET /items?q=iron HTTP/1.1\r\n${HEADERS}\r\n`,
  `POST /cart/price HTTP/1.1\r\n${HEADERS}Content-Type: application/json\r\nContent-Length: ${CART.length}\r\n\r\n${CART}`,
];

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
  const load = ({ port }, milliseconds) => requestsPerSecond({ port, requests: REQUESTS, connections: 8, milliseconds });
  await load(plain, 4000);
  await load(idle, 4000);
  const pairs = await measurePairs(
    () => load(idle, 2000),
    () => load(plain, 2000),
    PAIRS,
  );
  verdict({
    name: 'express, idle sites',
    ratio: pairs.ratio,
    target: 'at least 0.99',
    detail: `${pairs.a.toFixed(0)} requests a second with idle sites, ${pairs.b.toFixed(0)} plain; ${spread(pairs, PAIRS)}`,
  });
} finally {
  plain.shop.kill();
  idle.shop.kill();
}
