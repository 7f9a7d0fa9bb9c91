import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';

describe('the example shop', () => {
  let shop: ChildProcess;
  let url: string;

  before(async () => {
    shop = spawn(process.execPath, ['examples/shop/server.mjs', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(createInterface({ input: shop.stdout! }), 'line');
    url = line.split(' ').at(-1);
  });
  after(() => shop.kill('SIGKILL'));

  test('its load finds every answer as expected, the failing ones too', () => {
    const load = execFileSync(process.execPath, ['examples/shop/load.mjs', '--url', url, '--requests', '40', '--json'], {
      encoding: 'utf8',
    });
    const { requests, unexpected } = JSON.parse(load);
    assert.deepEqual({ requests, unexpected }, { requests: 40, unexpected: 0 });
  });

  test('an item is a page for a browser and data for a program', async () => {
    const page = await fetch(`${url}/items/7`, { headers: { accept: 'text/html' } });
    assert.match(await page.text(), /<h1>glass kettle<\/h1>/);
    const data = await fetch(`${url}/items/9`, { headers: { accept: 'application/json' } });
    assert.deepEqual(await data.json(), { id: 9, name: 'copper kettle', price: 1135, weight: 335, stock: 1_000_000 });
  });

  test('an order is priced, paid and stored', async () => {
    const body = JSON.stringify({ lines: [{ item: 1, quantity: 10 }] });
    const placed = await fetch(`${url}/orders`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', customer: 'ada' },
      body,
    });
    assert.equal(placed.status, 201);
    const order = await fetch(`${url}${placed.headers.get('location')}`, { headers: { accept: 'application/json' } });
    const { customer, total, lines } = (await order.json()) as { customer: string; total: number; lines: unknown };
    assert.deepEqual(
      { customer, total, lines },
      { customer: 'ada', total: 4865, lines: [{ name: 'iron teapot', quantity: 10, price: 4275 }] },
    );
  });

  test('it ends cleanly when asked to', async () => {
    shop.kill('SIGTERM');
    assert.deepEqual(await once(shop, 'exit'), [0, null]);
  });
});
