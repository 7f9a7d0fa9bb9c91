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

/** Counts what is done to cells, on a global object of the test's own. */
const counted = () => {
  const done = { written: 0, deleted: 0, defined: 0 };
  const global = new Proxy({} as Record<string, unknown>, {
    set(target, name, value) {
      done.written++;
      return Reflect.set(target, name, value);
    },
    deleteProperty(target, name) {
      done.deleted++;
      return Reflect.deleteProperty(target, name);
    },
    defineProperty(target, name, descriptor) {
      done.defined++;
      return Reflect.defineProperty(target, name, descriptor);
    },
  });
  const cells = new Cells(global);
  cells.define('$f', 0, 100);
  cells.define('$f$', 100, 100);
  done.defined = 0;
  return { global, cells, done };
};
const armAll = (cells: Cells) => {
  for (let n = 0; n < 200; n++) cells.arm(n, () => {});
};
const disarmAll = (cells: Cells) => {
  for (let n = 0; n < 200; n++) cells.disarm(n);
};

test('a site is disarmed by one write, as it is armed; its cell is renewed later', () => {
  const { global, cells, done } = counted();
  armAll(cells);
  disarmAll(cells);
  assert.deepEqual(done, { written: 400, deleted: 0, defined: 0 });
  assert.deepEqual([global['$f0'], global['$f$199'], cells.mustRenew], [0, 0, true]);
  assert.equal(
    cells.renew(() => false),
    true,
  );
  assert.deepEqual(done, { written: 400, deleted: 200, defined: 200 });
  assert.deepEqual(Object.getOwnPropertyDescriptor(global, '$f$199'), {
    value: 0,
    writable: true,
    enumerable: false,
    configurable: true,
  });
  assert.equal(cells.mustRenew, false);
  cells.renew(() => false);
  assert.equal(done.deleted, 200);
});

test('cells are renewed in parts, each once, and not those that were armed again', () => {
  const { cells, done, global } = counted();
  armAll(cells);
  disarmAll(cells);
  const again = () => {};
  cells.arm(150, again);
  let parts = 0;
  while (!cells.renew(() => true)) {
    parts++;
    assert.ok(cells.mustRenew && done.deleted <= 16 * parts, String(done.deleted));
  }
  assert.deepEqual([parts > 5, done.deleted, global['$f$150']], [true, 199, again]);
  cells.disarm(150);
  cells.disarm(150);
  cells.renew(() => false);
  assert.deepEqual([done.deleted, cells.mustRenew], [200, false]);
});

test('what the program puts into Object.prototype does not reach the cells', () => {
  const global: Record<string, unknown> = {};
  const cells = new Cells(global);
  cells.define('$f', 0, 2);
  for (const key of ['get', 'set']) {
    cells.arm(1, () => {});
    cells.disarm(1);
    (Object.prototype as Record<string, unknown>)[key] = () => 'mine';
    try {
      cells.renew(() => false);
    } finally {
      delete (Object.prototype as Record<string, unknown>)[key];
    }
    assert.deepEqual([global['$f1'], Object.keys(global)], [0, []]);
  }
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
