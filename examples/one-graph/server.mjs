// A server whose requests go through JavaScript, Node's fs binding and libuv, V8's JSON parser, and a native addon if ADDON names one.
import { closeSync, openSync, readSync } from 'node:fs';
import { createServer } from 'node:http';

const PRICES = new URL('./prices.json', import.meta.url);
const addon = { exports: { eachLine } };
if (process.env.ADDON) process.dlopen(addon, process.env.ADDON);

/** What the addon does, too. */
function eachLine(text, callback) {
  for (const line of text.split('\n')) if (line !== '') callback(line);
}

function readPrices() {
  const file = openSync(PRICES);
  const buffer = Buffer.alloc(4096);
  const bytes = readSync(file, buffer);
  closeSync(file);
  return JSON.parse(buffer.toString('utf8', 0, bytes));
}

/** The price of an order of lines such as `3 apples`. */
function priceOf(order) {
  const prices = readPrices();
  let sum = 0;
  addon.exports.eachLine(order, function addLine(line) {
    const [count, item] = line.split(' ');
    sum += Number(count) * prices[item];
  });
  return sum;
}

function handle(request, response) {
  const order = decodeURIComponent(new URL(request.url, 'http://shop').searchParams.get('order') ?? '');
  response.end(`${priceOf(order)}\n`);
}

const server = createServer(handle).listen(0, '127.0.0.1', () => {
  console.log(`server ${process.pid} listens on http://127.0.0.1:${server.address().port}`);
});
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
