import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import vm from 'node:vm';
import { ThreadCells, WeakList } from './thread-cells.js';

const RANGE = { prefix: '$f', first: 3, count: 2 };
const SITE = '(function f(a) { typeof $f3 === "function" && $f3(3, this, a); return a })';

const create = () => {
  const own = vm.createContext();
  const cells = new ThreadCells(vm.runInContext('globalThis', own));
  const calls: unknown[] = [];
  const trampoline = ((_n: number, _self: unknown, a: unknown) => calls.push(a)) as never;
  const context = () => {
    const made = vm.createContext();
    cells.defineIn(made, RANGE, () => {});
    return vm.runInContext(SITE, made) as (a: unknown) => unknown;
  };
  return { cells, calls, trampoline, context, own };
};

test('a function is armed and disarmed in every context that has its text, also in those that come later', () => {
  const { cells, calls, trampoline, context, own } = create();
  cells.share(RANGE);
  const first = context();
  const second = context();
  first('idle');
  assert.equal(cells.arm(3, trampoline), true);
  const third = context();
  assert.equal(cells.define('$f', 3, 2), true);
  const inOwn = vm.runInContext(SITE, own);
  for (const [i, site] of [first, second, third, inOwn].entries()) site(i);
  assert.deepEqual(calls, [0, 1, 2, 3]);
  assert.equal(cells.disarm(3), true);
  for (const site of [first, second, third, inOwn, context()]) site('disarmed');
  assert.equal(calls.length, 4);
});

test('the statements of a function are armed and disarmed in every realm that has its text, also in those that come later', () => {
  const range = { ...RANGE, hasStatements: true };
  const site = '(function f(a) { {typeof $fl3 === "function" && $fl3(0, a)} return a })';
  const own = vm.createContext();
  const cells = new ThreadCells(vm.runInContext('globalThis', own));
  const context = () => {
    const made = vm.createContext();
    cells.defineIn(made, range, () => {});
    return vm.runInContext(site, made) as (a: unknown) => unknown;
  };
  cells.share(range);
  const calls: unknown[] = [];
  const first = context();
  first('idle');
  assert.equal(cells.armStatements(3, ((_index: number, a: unknown) => calls.push(a)) as never), true);
  cells.define('$f', 3, 2, true);
  const all = [first, context(), vm.runInContext(site, own)];
  for (const [i, one] of all.entries()) one(i);
  assert.deepEqual(calls, [0, 1, 2]);
  assert.equal(cells.disarmStatements(3), true);
  for (const one of [...all, context()]) one('disarmed');
  assert.equal(calls.length, 3);
});

test('a shared text without sites at statements refuses to have them armed', () => {
  const { cells, trampoline, context } = create();
  cells.share(RANGE);
  assert.equal(cells.armStatements(3, trampoline), false);
  context()('fine');
  assert.equal(cells.disarmStatements(3), false);
});

test('a text that was armed before it is shared is armed in contexts, too', () => {
  const { cells, calls, trampoline, context } = create();
  cells.define('$f', 3, 2);
  cells.arm(3, trampoline);
  cells.share(RANGE);
  context()('shared');
  assert.deepEqual(calls, ['shared']);
});

test('calls are there in contexts, those that were set before and after', () => {
  const { cells } = create();
  cells.setCall('x', ((value: unknown) => `x${value}`) as never);
  cells.share(RANGE);
  const context = vm.createContext();
  cells.defineIn(context, RANGE, () => {});
  assert.equal(vm.runInContext('$fx(1) + $fd', context), 'x10');
  cells.setCall('d', (() => 'd') as never);
  assert.equal(vm.runInContext('$fd()', context), 'd');
});

test('no property of a context shows a cell, and one with a name of theirs stays as it is', () => {
  const { cells, calls, trampoline } = create();
  cells.share(RANGE);
  const context = vm.createContext({ seen: 1 });
  cells.defineIn(context, RANGE, () => {});
  assert.deepEqual(Object.keys(context), ['seen']);
  assert.doesNotMatch(vm.runInContext('Reflect.ownKeys(globalThis).map(String).join()', context), /\$f/);
  const taken = vm.createContext();
  vm.runInContext('let $f4 = "mine"', taken);
  cells.defineIn(taken, RANGE, () => {});
  cells.arm(3, trampoline);
  assert.equal(vm.runInContext(`${SITE}($f4)`, taken), 'mine');
  assert.deepEqual(calls, []);
});

test('a context that is gone leaves nothing behind', async () => {
  setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc') as () => void;
  const { cells, trampoline } = create();
  cells.share(RANGE);
  cells.arm(3, trampoline);
  const alive = new WeakList<object>();
  const one = () => {
    const context = vm.createContext();
    cells.defineIn(context, RANGE, () => {});
    alive.add(context);
  };
  for (let i = 0; i < 50; i++) one();
  const left = () => {
    let count = 0;
    alive.forEach(() => {
      count++;
    });
    return count;
  };
  // Node 24 needs several collections, with time between them.
  for (let collections = 0; collections < 50 && left() > 1; collections++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    collect();
  }
  assert.ok(left() <= 1, `${left()} of 50 contexts are alive`);
});
