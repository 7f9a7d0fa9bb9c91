import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { moduleScope } from '../instrument/index.js';
import { reachVariables, type VariableAccess } from './reach-variables.js';
import { LoadedText } from './testing/loaded-text.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Reaches variables from the next call of a function; the answers are pushed. */
function reach(text: LoadedText, symbol: string, names: readonly string[]) {
  const found: VariableAccess[] = [];
  const failures: string[] = [];
  const one = text.functions.find(({ name }) => name === symbol)!;
  const remove = reachVariables(text.breakpoints, {
    function: text.function(symbol),
    names,
    forget: moduleScope(text.source, one)!.forget,
    reached: (variables) => found.push(...variables),
    failed: (why) => failures.push(why),
  });
  return { found, failures, remove };
}

const message = (run: () => unknown): string => {
  try {
    return String(run());
  } catch (error) {
    return String(error);
  }
};

/** A module as Node wraps it, whose functions are what the script gives. */
const MODULE = `(function (early) {
let hits = 0, v = 1;
const cache = new Map([['a', 1]]);
class Line { static rate = 2 }
function helper() { return 'old' }
function add(order, b = 1) { hits++; return helper() + order.price + b + v + cache.size + Line.rate }
function keep(order) { return () => order }
const state = () => [hits, v, Line.rate, soon].join();
early(add);
let soon = 3;
return { add, keep, state };
})`;

test('variables of all kinds are read and written where they are, once all have values, and the breakpoint is gone', () => {
  const text = new LoadedText(MODULE);
  let answers: ReturnType<typeof reach> | undefined;
  const { add, state } = text.run()((early: (order: object) => unknown) => {
    answers = reach(text, 'add', ['hits', 'cache', 'v', 'Line', 'helper', 'soon']);
    assert.equal(early({ price: 5 }), 'old51112');
    assert.deepEqual([answers.found, text.breakpoints.size], [[], 1]);
  });
  const { found, failures } = answers!;
  assert.equal(add({ price: 5 }), 'old51112');
  assert.deepEqual([found.length, failures, text.breakpoints.size], [6, [], 0]);
  const [hits, cache, v, line, helper, soon] = found as [VariableAccess, ...VariableAccess[]];
  assert.deepEqual([hits.get(), (cache!.get() as Map<string, number>).get('a'), v!.get(), soon!.get()], [2, 1, 1, 3]);
  assert.match(
    message(() => cache!.set(1)),
    /TypeError: Assignment to constant/,
  );
  hits.set(10);
  v!.set(7);
  soon!.set(4);
  line!.set({ rate: 9 });
  helper!.set(() => 'new');
  assert.equal(state(), '10,7,9,4');
  assert.equal(add({ price: 5 }), 'new51719');
  assert.equal(hits.get(), 11);
});

test('the values of the call are forgotten, and its own variables are not touched', async () => {
  const text = new LoadedText(MODULE);
  const { add, keep } = text.run()(() => {});
  const { found } = reach(text, 'add', ['hits']);
  const order = ((): WeakRef<object> => {
    const one = { price: 5 };
    assert.equal(add(one, 2), 'old52112');
    return new WeakRef(one);
  })();
  const { found: kept } = reach(text, 'keep', ['v']);
  assert.deepEqual(keep({ price: 1 })(), { price: 1 }, 'a parameter that a closure has');
  await turn();
  collect();
  assert.equal(order.deref(), undefined);
  assert.deepEqual([found[0]!.get(), kept[0]!.get()], [1, 1]);
});

test('a variable that V8 has not kept is told, and a removed request hears nothing', () => {
  const text = new LoadedText('(function () { const gone = 1, kept = 2; function f() { return kept } return f })');
  const f = text.run()();
  const { found, failures } = reach(text, 'f', ['kept', 'gone']);
  const other = reach(text, 'f', ['kept']);
  other.remove();
  for (let i = 0; i < 100; i++) assert.equal(f(), 2);
  assert.deepEqual([found, other.found, text.breakpoints.size], [[], [], 0]);
  assert.match(failures.join(), /^has no value of gone: it is not initialized, or V8 has not kept it/);
  assert.deepEqual(reach(text, 'f', ['class']).failures, ['has no variable class']);
  assert.equal((globalThis as Record<string, unknown>)['gone'], undefined);
});

test('a probe at the same place is hit all the same', () => {
  const text = new LoadedText('(function () { let n = 1; function f(a) { return a + n } return f })');
  const f = text.run()();
  const { found } = reach(text, 'f', ['n']);
  const hits: unknown[] = [];
  const probe = text.breakpoints.set({
    ...text.function('f'),
    ...{ ranges: [], expressions: ['a'], hit: ([a]) => hits.push(a!()) },
  });
  assert.deepEqual([f(1), f(2)], [2, 3]);
  assert.deepEqual([hits, found.length], [[1, 2], 1]);
  if (typeof probe === 'object') probe.remove();
  assert.equal(text.breakpoints.size, 0);
});
