import assert from 'node:assert/strict';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { PRELOAD, Sandbox, until } from '../e2e/support/program.js';

const { runLoad } = (await import(pathToFileURL('examples/shop/load.mjs').href)) as {
  runLoad(options: { url: string; connections: number; seconds: number }): Promise<{ requests: number; unexpected: number }>;
};

/** Ten copper kettles in two lines of five. */
const CART = JSON.stringify({
  lines: [
    { item: 9, quantity: 5 },
    { item: 9, quantity: 5 },
  ],
});

test('a bug in the running shop is fixed by a live patch under load, and the patch is undone', async (t) => {
  const sandbox = new Sandbox(t);
  const shop = sandbox.spawn(['--import', PRELOAD, resolve('examples/shop/server.mjs'), '0']);
  const [line] = (await once(createInterface({ input: shop.stdout! }), 'line')) as [string];
  const url = line.split(' ').at(-1)!;
  const goods = async (): Promise<number> => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json', customer: 'ada' }, body: CART };
    return ((await (await fetch(`${url}/cart/price`, init)).json()) as { goods: number }).goods;
  };
  const fentry = async (...args: string[]): Promise<string> => {
    const { stdout, stderr, code } = await sandbox.fentry(...args);
    assert.deepEqual({ stderr, code }, { stderr: '', code: 0 });
    return stdout;
  };
  let isLoading = true;
  const load = async (): Promise<{ requests: number; unexpected: number }> => {
    const sum = { requests: 0, unexpected: 0 };
    while (isLoading) {
      const { requests, unexpected } = await runLoad({ url, connections: 4, seconds: 0.2 });
      sum.requests += requests;
      sum.unexpected += unexpected;
    }
    return sum;
  };
  const loaded = load();

  assert.equal(await goods(), 11_350, 'no discount');
  const patched = 'merge-lines: enabled\n  vmlinux/readCart,1\n';
  assert.equal(await fentry('livepatch', resolve('examples/shop/livepatch/merge-lines.mjs')), patched);
  assert.equal(await goods(), 10_782, 'five per cent for ten pieces');
  assert.match(
    await fentry('cat', 'enabled_functions'),
    /^readCart \(1\) R I {2}\ttramp: ftrace_trampoline \(klp_ftrace_handler\)$/m,
  );

  assert.equal(await fentry('livepatch', '--undo', 'merge-lines'), '');
  assert.equal(await goods(), 11_350, 'as before');
  assert.equal(await fentry('cat', 'enabled_functions'), '');
  assert.equal(await fentry('ls', 'livepatch'), 'follow\nload\nprepare\n');
  isLoading = false;
  const { requests, unexpected } = await loaded;
  assert.ok(requests > 0);
  assert.equal(unexpected, 0, 'no request failed');
  shop.kill('SIGTERM');
  await until(() => shop.exitCode !== null, 'nothing keeps the shop alive');
  assert.equal(shop.exitCode, 0);
});
