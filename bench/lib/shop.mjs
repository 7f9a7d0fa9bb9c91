import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { hasCommand } from './child.mjs';
import { requestsPerSecond } from './http-load.mjs';

const SHOP = fileURLToPath(new URL('../../examples/shop/server.mjs', import.meta.url));
/** Requests after which the compilers have little left to do. */
const WARM_UP = 30_000;
const CART = JSON.stringify({ lines: [{ item: 7, quantity: 1 }] });
const HEADERS = 'Host: shop\r\nAccept: text/html\r\n';
const REQUESTS = [
  `GET /items/7 HTTP/1.1\r\n${HEADERS}\r\n`,
  `GET /items?q=iron HTTP/1.1\r\n${HEADERS}\r\n`,
  `POST /cart/price HTTP/1.1\r\n${HEADERS}Content-Type: application/json\r\nContent-Length: ${CART.length}\r\n\r\n${CART}`,
];

/** A running shop (Express 5, SQLite), pinned to one CPU, and what loading it took. */
export class Shop {
  #process;
  #port;
  /** CPU seconds of one request, of each load since the warm-up. */
  costs = [];

  /** Starts the shop on a free port with these flags of Node. */
  static async start(flags, env = {}) {
    const shop = new Shop();
    const command = hasCommand('taskset') ? ['taskset', '-c', '0', process.execPath] : [process.execPath];
    shop.#process = spawn(command[0], [...command.slice(1), ...flags, SHOP, '0'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...env },
    });
    const [line] = await once(createInterface({ input: shop.#process.stdout }), 'line');
    shop.#port = Number(/:(\d+)$/.exec(line)[1]);
    return shop;
  }

  get pid() {
    return this.#process.pid;
  }

  /** Requests a second under load; the CPU time of one goes to `costs`. */
  async load(milliseconds) {
    const before = this.#cpuSeconds();
    const perSecond = await requestsPerSecond({ port: this.#port, requests: REQUESTS, connections: 8, milliseconds });
    this.costs.push((this.#cpuSeconds() - before) / ((perSecond * milliseconds) / 1000));
    return perSecond;
  }

  async warmUp() {
    for (let served = 0; served < WARM_UP; served += await this.load(1000));
    this.costs.length = 0;
  }

  end() {
    this.#process.kill();
  }

  /** Seconds of CPU of the process and all its threads. */
  #cpuSeconds() {
    const folder = `/proc/${this.pid}/task`;
    const nanoseconds = (task) => Number(readFileSync(`${folder}/${task}/schedstat`, 'utf8').split(' ')[0]);
    return readdirSync(folder).reduce((sum, task) => sum + nanoseconds(task), 0) / 1e9;
  }
}
