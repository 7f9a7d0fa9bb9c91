import assert from 'node:assert/strict';
import { test } from 'node:test';
import vm from 'node:vm';
import { Cells } from './cells.js';

const realm = () => {
  const context = vm.createContext();
  const global = vm.runInContext('globalThis', context);
  return { global, cells: new Cells(global), run: (code: string) => vm.runInContext(code, context) };
};

test('cells are there, idle, and not enumerable', () => {
  const { global, cells } = realm();
  assert.equal(cells.define('$f', 10, 2), true);
  assert.deepEqual(Object.keys(global), []);
  assert.deepEqual(Object.getOwnPropertyDescriptor(global, '$f11'), {
    value: 0,
    writable: true,
    enumerable: false,
    configurable: true,
  });
});

test('a site calls what its cell was armed with, and nothing after disarming', () => {
  const { cells, run } = realm();
  const calls: unknown[] = [];
  cells.define('$f', 0, 1);
  const site = run('(function f(a) { typeof $f0 === "function" && $f0(0, this, a); return a })');
  site(1);
  assert.equal(cells.arm(0, ((...args: unknown[]) => calls.push(args[2])) as never), true);
  site(2);
  cells.disarm(0);
  site(3);
  assert.deepEqual(calls, [2]);
});

test('a function of a text that this realm has not loaded is not armed', () => {
  const { global, cells } = realm();
  cells.define('$f', 10, 5);
  assert.deepEqual(
    [9, 10, 14, 15].map((n) => cells.arm(n, () => {})),
    [false, true, true, false],
  );
  assert.equal('$f15' in global, false);
});

test('ranges may come in any order, under different prefixes', () => {
  const { global, cells } = realm();
  cells.define('$f', 100, 10);
  cells.define('$f$', 0, 100);
  cells.define('$f', 110, 10);
  for (const n of [0, 99, 100, 115]) cells.arm(n, () => {});
  assert.deepEqual(
    ['$f$0', '$f$99', '$f100', '$f115', '$f$1', '$f101'].map((name) => typeof global[name]),
    ['function', 'function', 'function', 'function', 'number', 'number'],
  );
});

test('calls are under every prefix, those that come later too', () => {
  const { global, cells } = realm();
  cells.define('$f', 0, 1);
  cells.setCall('x', () => {});
  cells.define('$f$', 1, 1);
  assert.deepEqual([typeof global.$fx, typeof global.$f$x], ['function', 'function']);
  cells.setCall('x', 0);
  assert.deepEqual([global.$fx, global.$f$x], [0, 0]);
});

test('a frozen global object takes no cells, and its old ones cannot be armed', () => {
  const global = {};
  const cells = new Cells(global);
  cells.define('$f', 0, 1);
  Object.freeze(global);
  assert.equal(cells.define('$f', 1, 1), false);
  assert.equal(
    cells.arm(0, () => {}),
    false,
  );
  assert.equal(cells.disarm(0), false);
});
