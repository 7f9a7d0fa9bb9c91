/** What the hooks are told while functions return, throw, wait and are closed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runArmed } from './testing/test-realm.js';

const told = async (source: string) => (await runArmed(source)).told;

test('a call: entered with its arguments, left with its value', async () => {
  assert.deepEqual(await told('function add(a, b) { return a + b } add(1, 2)'), ['enter add 1 2', 'exit add 3']);
});

test('an exception unwinds the functions that it ended', async () => {
  const ran = await runArmed(
    'function inner() { throw 1 } function outer() { inner() } function main() { try { outer() } catch { } return 2 } main()',
  );
  assert.deepEqual(ran.told, ['enter main', 'enter outer', 'enter inner', 'unwind outer inner', 'exit main 2']);
  assert.deepEqual(ran.left, []);
});

test('a return waits for the finally', async () => {
  assert.deepEqual(await told('function g() {} function f() { try { return 1 } finally { g() } } f()'), [
    'enter f',
    'enter g',
    'exit g',
    'exit f 1',
  ]);
});

test('a finally that overrides the return: one exit, the one that happens', async () => {
  assert.deepEqual(await told('function f() { try { return 1 } finally { return 2 } } f()'), ['enter f', 'exit f 2']);
  assert.deepEqual(await told('function f() { for (;;) { try { return 1 } finally { break } } return 3 } f()'), [
    'enter f',
    'exit f 3',
  ]);
  assert.deepEqual(
    await told('function f() { try { try { return 1 } finally { throw 2 } } catch { } finally { } return 4 } f()'),
    ['enter f', 'exit f 4'],
  );
  assert.deepEqual(await told('function f() { try { try { return 1 } finally { } } finally { } } f()'), ['enter f', 'exit f 1']);
  assert.deepEqual(
    await told(
      'function f() { for (let i = 0; i < 2; i++) { try { if (i === 0) return 1 } finally { if (i === 0) continue } } } f()',
    ),
    ['enter f', 'exit f'],
  );
});

test('await leaves the graph and comes back', async () => {
  assert.deepEqual(await told('async function g() { return 1 } async function f() { return await g() + 1 } f()'), [
    'enter f',
    'enter g',
    'exit g 1',
    'suspend f',
    'resume f',
    'exit f 2',
  ]);
});

test('two that interleave never nest', async () => {
  const ran = await runArmed('async function f(n) { await n; await n } Promise.all([f(1), f(2)]).then(() => 1)');
  assert.deepEqual(
    ran.told.filter((line) => !line.includes('then')),
    [
      'enter f 1',
      'suspend f',
      'enter f 2',
      'suspend f',
      'resume f',
      'suspend f',
      'resume f',
      'suspend f',
      'resume f',
      'exit f',
      'resume f',
      'exit f',
    ],
  );
});

test('a rejected await comes back in the catch', async () => {
  assert.deepEqual(await told('async function f() { try { await Promise.reject(1) } catch (e) { return e } } f()'), [
    'enter f',
    'suspend f',
    'resume f',
    'exit f 1',
  ]);
});

test('a rejection ends the function that it leaves, before anything else is entered', async () => {
  const first = async (count: number, source: string) => (await told(source)).slice(0, count);
  assert.deepEqual(
    await first(5, 'async function f() { throw 1 } function g() {} function main() { f().catch(() => 0); g() } main()'),
    ['enter main', 'enter f', 'died f', 'enter g', 'exit g'],
  );
  assert.deepEqual(await first(4, 'async function f() { await Promise.reject(1) } f().catch(() => 0)'), [
    'enter f',
    'suspend f',
    'resume f',
    'died f',
  ]);
  assert.deepEqual(await first(2, 'const f = async (x) => x.y; f().then(0, () => 2)'), ['enter f undefined', 'died f']);
  assert.deepEqual(
    await first(5, 'async function* g() { yield 1; throw 2 } const it = g(); it.next().then(() => it.next()).catch(() => 0)'),
    ['enter g', 'suspend g', 'enter it.next.then@1', 'resume g', 'died g'],
  );
});

test('a generator is away between its yields, and returns when closed', async () => {
  assert.deepEqual(
    await told(
      'function* g() { try { yield 1; yield 2 } finally { h() } } function h() {} const it = g(); it.next(); it.return(3)',
    ),
    ['enter g', 'suspend g', 'resume g', 'enter h', 'exit h'],
  );
  assert.deepEqual(await told('function* g() { const x = yield; return x } const it = g(); it.next(); it.next(7)'), [
    'enter g',
    'suspend g',
    'resume g',
    'exit g 7',
  ]);
});

test('for await is away while it waits', async () => {
  assert.deepEqual(await told('async function f() { for await (const x of [1, 2]) { if (x === 2) break } return 3 } f()'), [
    'enter f',
    'suspend f',
    'resume f',
    'suspend f',
    'resume f',
    'suspend f',
    'resume f',
    'exit f 3',
  ]);
});
