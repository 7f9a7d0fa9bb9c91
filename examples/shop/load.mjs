// Load for the shop: `node examples/shop/load.mjs [--url URL] [--connections N] [--requests N | --seconds N]`.
// Prints requests per second and how long they took. Each connection sends its next request when the last was answered.
import { Agent, request } from 'node:http';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const json = (body) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', customer: 'ada' },
  body: JSON.stringify(body),
});
const page = { method: 'GET', headers: { accept: 'text/html' } };
const data = { method: 'GET', headers: { accept: 'application/json' } };
const lines = (...pairs) => ({ lines: pairs.map(([item, quantity]) => ({ item, quantity })) });

/** What shoppers do, in this order over and over: mostly looking, sometimes buying, now and then what must fail. */
const VISITS = [
  { path: '/items', ...page, status: 200 },
  { path: '/items/7', ...page, status: 200 },
  { path: '/items/12', ...data, status: 200 },
  { path: '/cart/price', ...json(lines([7, 1], [12, 10])), status: 200 },
  { path: '/items?q=iron', ...page, status: 200 },
  { path: '/items/3', ...page, status: 200 },
  { path: '/orders', ...json(lines([3, 2], [7, 1])), status: 201 },
  { path: '/orders/1', ...data, status: 200 },
  { path: '/orders', ...json(lines([41, 1])), status: 409 },
  { path: '/items/99', ...data, status: 404 },
];

const send = (agent, base, { path, method, headers, body }) =>
  new Promise((resolve, reject) => {
    const outgoing = request(new URL(path, base), { agent, method, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
      response.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });

const percentile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/**
 * Loads the shop until `requests` were answered or `seconds` are over. Resolves with
 * `{ requests, seconds, perSecond, unexpected, milliseconds: { p50, p95, p99, max } }`; `unexpected` counts wrong statuses.
 */
export async function runLoad({ url, connections = 8, requests = Number.POSITIVE_INFINITY, seconds = Number.POSITIVE_INFINITY }) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const took = [];
  let sent = 0;
  let unexpected = 0;
  const started = performance.now();
  const end = started + seconds * 1000;

  async function shop() {
    while (sent < requests && performance.now() < end) {
      const visit = VISITS[sent++ % VISITS.length];
      const before = performance.now();
      if ((await send(agent, url, visit)) !== visit.status) unexpected += 1;
      took.push(performance.now() - before);
    }
  }
  await Promise.all(Array.from({ length: connections }, shop));
  agent.destroy();

  const elapsed = (performance.now() - started) / 1000;
  took.sort((a, b) => a - b);
  const milliseconds = {
    p50: percentile(took, 0.5),
    p95: percentile(took, 0.95),
    p99: percentile(took, 0.99),
    max: took.at(-1) ?? 0,
  };
  return { requests: took.length, seconds: elapsed, perSecond: took.length / elapsed, unexpected, milliseconds };
}

/** A result of runLoad as two lines of text. */
export function describeLoad({ requests, seconds, perSecond, unexpected, milliseconds }) {
  const times = Object.entries(milliseconds).map(([name, value]) => `${name} ${value.toFixed(2)}`);
  const wrong = unexpected === 0 ? '' : `, ${unexpected} with an unexpected status`;
  return `${requests} requests in ${seconds.toFixed(2)} s: ${perSecond.toFixed(0)} a second${wrong}\nmilliseconds: ${times.join(', ')}`;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values } = parseArgs({
    options: {
      url: { type: 'string', default: 'http://127.0.0.1:3000' },
      connections: { type: 'string', default: '8' },
      requests: { type: 'string' },
      seconds: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const { url, connections, requests, seconds } = values;
  const bound = requests === undefined ? { seconds: Number(seconds ?? 10) } : { requests: Number(requests) };
  const result = await runLoad({ url, connections: Number(connections), ...bound });
  console.log(values.json ? JSON.stringify(result) : describeLoad(result));
  process.exitCode = result.unexpected === 0 ? 0 : 1;
}
