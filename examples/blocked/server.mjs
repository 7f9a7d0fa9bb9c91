// A service whose event loop is held now and then: a login that hashes synchronously, an export that compresses synchronously.
// `node examples/blocked/server.mjs [PORT]`; docs/event-loop.md finds out what holds it.
import { scryptSync, timingSafeEqual } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import express from 'express';

const orders = Array.from({ length: 100_000 }, (_, id) => ({
  id,
  customer: `customer-${id % 997}`,
  total: (id * 7919) % 10_000,
}));
const salt = Buffer.from('an example needs no secret');
const known = scryptSync('correct horse', salt, 32);

function checkPassword(password) {
  return timingSafeEqual(scryptSync(password, salt, 32), known);
}

function login(request, response) {
  response.json({ ok: checkPassword(String(request.query.password)) });
}

function totalsByCustomer() {
  const totals = new Map();
  for (const { customer, total } of orders) totals.set(customer, (totals.get(customer) ?? 0) + total);
  return Object.fromEntries(totals);
}

function serialize(report) {
  return JSON.stringify(report);
}

function compress(text) {
  return gzipSync(text, { level: 9 });
}

function exportOrders(_request, response) {
  const report = { totals: totalsByCustomer(), orders };
  response.type('application/gzip').send(compress(serialize(report)));
}

function health(_request, response) {
  response.send('ok\n');
}

const app = express();
app.get('/health', health);
app.get('/login', login);
app.get('/export', exportOrders);
const server = app.listen(Number(process.argv[2] ?? 3000), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`);
});
