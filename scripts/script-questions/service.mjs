// The service of which docs/script-questions.md asks: `node service.mjs` prints its URL. It has a trouble here and there.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const SLOW = "SELECT * FROM orders WHERE note LIKE '%gift%'";
const FAST = 'SELECT * FROM items WHERE id = 7';

function busy(milliseconds) {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

async function query(text) {
  await sleep(text === SLOW ? 30 : 2);
  return [];
}

function checkStock(sku) {
  if (sku === 'SKU-13') busy(8);
  return sku.length % 2;
}

function reserve(sku) {
  return checkStock(sku);
}

function recount() {
  return checkStock('SKU-7');
}

function priceOf(item) {
  return item * 3;
}

function discount(total) {
  return total > 100 ? 10 : 0;
}

function depthOf(category) {
  return category === 0 ? 1 : 1 + depthOf(category - 1);
}

function parseOrder(text) {
  return JSON.parse(text);
}

function settings() {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
}

function report() {
  busy(500);
}

function accept(id) {
  setTimeout(ship, 15, id);
}

function ship(id) {
  return id;
}

const ROUTES = {
  async '/items'() {
    for (let item = 0; item < 50; item++) discount(priceOf(item));
    settings();
    await query(FAST);
  },
  async '/orders'() {
    reserve('SKU-1');
    reserve('SKU-13');
    recount();
    depthOf(6);
    await query(SLOW);
  },
  async '/parse'() {
    try {
      parseOrder('{"sku": ');
    } catch {
      // As its author has it: nobody hears of it.
    }
  },
};

let orders = 0;
const server = createServer(async (request, response) => {
  await ROUTES[request.url]?.();
  accept(orders++);
  response.end(JSON.stringify([...'tea '.repeat(5000)]));
});
setInterval(report, 2000);
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
process.on('disconnect', () => process.exit());
