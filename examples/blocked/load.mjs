// Asks the service of server.mjs for its health all the time, as a load balancer does, while others log in and export:
// `node examples/blocked/load.mjs URL [SECONDS]`. Prints how long the health checks took.
import { setTimeout as wait } from 'node:timers/promises';

const [, , url = 'http://127.0.0.1:3000', seconds = '3'] = process.argv;
const end = performance.now() + Number(seconds) * 1000;
const times = [];

async function ask(path, pause, took = () => {}) {
  while (performance.now() < end) {
    const start = performance.now();
    await (await fetch(url + path)).arrayBuffer();
    took(performance.now() - start);
    await wait(pause);
  }
}

await Promise.all([ask('/health', 10, (time) => times.push(time)), ask('/login?password=guess', 400), ask('/export', 900)]);
times.sort((a, b) => a - b);
const at = (share) => `${times[Math.floor((times.length - 1) * share)].toFixed(1)} ms`;
console.log(`${times.length} health checks: median ${at(0.5)}, 99 of 100 within ${at(0.99)}, slowest ${at(1)}`);
