// A service with a trouble in each route: `node server.mjs [PORT]`. docs/recipes.md finds them.

import { scrypt, scryptSync } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import express from 'express';
import { query } from './database.mjs';

const TEMPLATE = new URL('page.html', import.meta.url);

async function renderPage(items) {
  const template = await readFile(TEMPLATE, 'utf8');
  return template.replace('ITEMS', items.map(({ row }) => `<li>${row}</li>`).join(''));
}

function listItems() {
  return query('SELECT * FROM items LIMIT 20');
}

function findItems(word) {
  return query(`SELECT * FROM items WHERE name LIKE '%${word}%'`);
}

async function home(_request, response) {
  response.send(await renderPage(await listItems()));
}

async function search(request, response) {
  response.json(await findItems(request.query.word));
}

function thumbnail(_request, response) {
  const pixels = Buffer.alloc(256 * 1024, 7);
  response.type('image/x-raw').send(pixels.subarray(0, 1024));
}

function login(_request, response) {
  scryptSync('guess', 'an example needs no secret', 32);
  response.json({ ok: false });
}

const hash = promisify(scrypt);
const TEAM = ['ann', 'bob', 'cy', 'dee', 'eve', 'fay', 'gus', 'hal'];

async function signUp(_request, response) {
  await Promise.all(TEAM.map((name) => hash(name, 'an example needs no secret', 32, { cost: 2048 })));
  response.status(201).json({ members: TEAM.length });
}

async function rates(_request, response) {
  try {
    await lookup('rates.example.invalid');
    response.json({});
  } catch {
    console.error('no rates today');
    response.status(503).json({ error: 'no rates' });
  }
}

async function sendMail(order) {
  throw new Error(`no mail server for order ${order}`);
}

function placeOrder(request, response) {
  sendMail(request.query.id);
  response.status(201).json({ placed: true });
}

function heartbeat() {}

setInterval(heartbeat, 20);
process.on('unhandledRejection', () => {});
const app = express();
app.get('/', home);
app.get('/search', search);
app.get('/thumbnail', thumbnail);
app.get('/login', login);
app.get('/signup', signUp);
app.get('/rates', rates);
app.get('/orders', placeOrder);
const server = app.listen(Number(process.argv[2] ?? 3000), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`);
});
