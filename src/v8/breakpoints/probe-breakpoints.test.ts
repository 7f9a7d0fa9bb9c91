import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { LoadedText } from './testing/loaded-text.js';

const loaded: LoadedText[] = [];

afterEach(() => {
  for (const text of loaded.splice(0)) text.breakpoints.end();
});

function load(source: string, options = {}): LoadedText {
  const text = new LoadedText(source, options);
  loaded.push(text);
  return text;
}

const compiled = (source: string, isInstrumented = true): LoadedText => {
  const text = load(source, { isInstrumented });
  text.run();
  return text;
};

test('the places of a function are those where V8 can stop in it, and in none of its inner functions', () => {
  const text = compiled(
    'function sum(list) { let total = 0; for (const x of list) { total += x; } list.map((x) => x + 1); return total; }',
  );
  assert.equal(
    text.marked('sum'),
    'function sum(list) { let total = |0; for (const |x of |list) { |total += x; } list.|map((x) => x + 1); |return total;| }',
  );
});

const SHAPES: readonly (readonly [name: string, source: string])[] = [
  ['f', 'function f(a) { if (a) return 1; while (a) { a--; } return; }'],
  ['f', 'function f(a) {\n  let x = a\n  ;[1].map(f)\n  g(x)\n  function g() {}\n}'],
  ['f', 'async function f(a) { const x = await a; await g(x); h(); }'],
  ['f', 'function* f(a) { const x = yield a; yield* x; try { yield 1 } finally { g() } }'],
  ['f', 'async function* f(a) { for (const x of a) yield x; }'],
  ['f', 'const f = (a) => (b) => a + b;'],
  ['f', 'function f(a = g(), { b } = h()) { return a; }'],
  ['f', 'function f(a) { try { g(a); } catch (e) { h(e); } finally { k(); } }'],
  ['f', 'function f(a) { try { return g(a); } finally { k(); } }'],
  ['f', 'function f(a) { switch (a) { case 1: g(); break; default: return h(); } }'],
  ['f', 'function f(a) { return function () { return a; }; }'],
  ['f', 'function f(a) { throw new Error(a); }'],
  ['f', 'function f() {}'],
  ['f', 'function f() { const g = (a) => a, h = () => 1; }'],
  ['f', 'function f() { return class { x = g(); static { h(); } [k()]() {} }; }'],
  ['A.constructor', 'class A { constructor() { this.a = 1; } }'],
  ['B.constructor', 'class A {} class B extends A { constructor() { const x = () => this; super(); x(); } }'],
  ['A.m', 'class A { m(a) { const { b } = a; return b + 1; } }'],
];

for (const [name, source] of SHAPES) {
  test(`sites do not change the places of ${name} in ${source.replaceAll('\n', ' ')}`, () => {
    const inBlock = `{${source}}`;
    assert.equal(compiled(inBlock).marked(name), compiled(inBlock, false).marked(name));
  });
}

test('an arrow with an expression for a body has a place before it', () => {
  assert.equal(compiled('{const f = (a) => a + g(a);}').marked('f'), '(a) => |a + |g(a)');
});

test('a probe in the middle of a loop has the values of each turn', () => {
  const text = load('(function sum(list) { let total = 0; for (const one of list) { total += one; } return total; })');
  const sum = text.run();
  const hits: unknown[] = [];
  text.probe('sum', 'total +=', ['one', 'total', 'list'], hits);
  assert.equal(sum([1, 2]), 3);
  assert.deepEqual(hits, [
    [1, 0, [1, 2]],
    [2, 1, [1, 2]],
  ]);
});

/** What a script gives, called with what it takes. */
// biome-ignore lint/suspicious/noExplicitAny: the scripts of tests
type Script = any;

/** Probes a function before `text`, calls `run` with what the script gives, and returns the hits. */
function hitsOf(source: string, name: string, at: string, names: readonly string[], run: (value: Script) => unknown): unknown[] {
  const text = load(source);
  const value = text.run();
  const hits: unknown[] = [];
  const probe = text.probe(name, at, names, hits);
  assert.equal(typeof probe, 'object', String(probe));
  run(value);
  return hits;
}

test('a name that is not initialized yet, or does not exist, is a fault', () => {
  const source = '(function f(a) { g(); let x = 1; return () => x; function g() {} })';
  assert.deepEqual(
    hitsOf(source, 'f', 'g();', ['a', 'x', 'nothing', 'no name'], (f) => f(7)),
    [[7, '(fault)', '(fault)', '(fault)']],
  );
});

test('where one name has no value, those of the program that begin with a dollar have theirs', () => {
  const source = '(function f($, $$) { g(); let x = 1; return () => x; function g() {} })';
  assert.deepEqual(
    hitsOf(source, 'f', 'g();', ['$', 'x', '$$', 'this'], (f) => f.call('me', 7, 8)),
    [[7, '(fault)', 8, Object('me')]],
  );
});

test('this is that of the surrounding function in an arrow that uses it', () => {
  const source = '(function f() { return [1].map((x) => { const y = x + this.z; return y; })[0]; })';
  const name = load(source).functions[1]!.name;
  assert.deepEqual(
    hitsOf(source, name, 'return y', ['y', 'this'], (f) => f.call({ z: 2 })),
    [[3, { z: 2 }]],
  );
});

test('before super() this is a fault, and the object is made all the same', () => {
  const hits = hitsOf(
    'function g() {} (class A extends Object { constructor(v) { const self = () => this; g(v); super(); this.v = v; self(); } })',
    'A.constructor',
    'g(v)',
    ['v', 'this'],
    (A) => assert.equal(new A(3).v, 3),
  );
  assert.equal((hits[0] as unknown[])[0], 3);
});

test('after a hit, a variable that is read before its declaration throws as ever', () => {
  const source = '(function f() { try { g(); x; let x = 1; return x; } catch (error) { return error.name; } function g() {} })';
  const hits = hitsOf(source, 'f', 'g();', ['x'], (f) => assert.equal(f(), 'ReferenceError'));
  assert.equal(hits.length, 1);
});

test('at the entry a probe is hit once a call, in a function that begins with a loop too', () => {
  const text = load('(function f(n) { while (n > 0) n--; return n; })');
  const f = text.run();
  const hits: unknown[] = [];
  text.breakpoints.set({ ...text.function('f'), ranges: [], expressions: ['n'], hit: ([n]) => hits.push(n!()) });
  f(3);
  f(5);
  assert.deepEqual(hits, [3, 5]);
});

test('probes at one place are hit one after the other, each with its own names', () => {
  const text = load('(function f(a, b) { return a + b; })');
  const f = text.run();
  const hits: unknown[] = [];
  const first = text.probe('f', 'return', ['b', 'a'], hits);
  text.probe('f', 'return', ['a'], hits);
  f(1, 2);
  assert.deepEqual(hits, [[2, 1], [1]]);
  if (typeof first === 'object') first.remove();
  f(3, 4);
  assert.deepEqual(hits.slice(2), [[3]]);
});

test('the debugger is on while there is a probe, and what conditions call is there', () => {
  const text = load('(function f(a) { return a; })');
  const f = text.run();
  const hits: unknown[] = [];
  const probe = text.probe('f', 'return', ['a'], hits);
  assert.equal('$fentryProbe' in globalThis, true);
  if (typeof probe === 'object') probe.remove();
  f(1);
  assert.deepEqual([hits, '$fentryProbe' in globalThis, text.breakpoints.size], [[], false, 0]);
});

test('a probe waits for its text to be compiled', () => {
  const text = load('(function f(a) { return a; })');
  const hits: unknown[] = [];
  text.probe('f', 'return', ['a'], hits);
  text.run()(5);
  assert.deepEqual(hits, [[5]]);
});

test('it is in every script of its text', () => {
  const text = load('(function f(a) { return a; })');
  const first = text.run();
  const hits: unknown[] = [];
  text.probe('f', 'return', ['a'], hits);
  const second = text.run();
  first(1);
  second(2);
  assert.deepEqual(hits, [[1], [2]]);
});

test('where V8 must not evaluate anything there is no place', () => {
  const source = '{function f() { return class { x = g(); static { h(); } static y = () => k(); }; }}';
  const text = load(source, { areClassesUnreadable: true });
  text.run();
  assert.equal(text.marked('f'), 'function f() { |return class { x = g(); static { h(); } static y = () => k(); };| }');
});

test('where V8 cannot stop there is no probe, and the debugger is off again', () => {
  const text = load('(function f(a) { return a; })');
  text.run();
  assert.equal(text.probe('f', 'urn a', ['a'], []), 'is no place where V8 can stop');
  assert.equal('$fentryProbe' in globalThis, false);
});

test('a text that is compiled later and has no such place ends the probe, and then the session', async () => {
  const text = load('(function f(a) { return a; })');
  const hits: unknown[] = [];
  assert.equal(typeof text.probe('f', 'urn a', ['a'], hits), 'object');
  text.run();
  assert.deepEqual(hits, ['is no place where V8 can stop']);
  await null;
  assert.equal('$fentryProbe' in globalThis, false);
});

test('hits that take too much time end the probe at once, and others go on', () => {
  const text = load('(function f(n) { let sum = 0; for (let i = 0; i < n; i++) sum += i; return sum; })', {
    limits: { share: 0, burst: 1 },
  });
  const f = text.run();
  const hot: unknown[] = [];
  const calm: unknown[] = [];
  text.probe('f', 'sum += i', ['i'], hot);
  text.probe('f', 'return sum', ['sum'], calm);
  f(2);
  assert.equal(f(1000), 499_500);
  assert.deepEqual([hot.length, hot.at(-1), calm], [9, 'was hit too often', [[1], [499_500]]]);
});

test('a probe is put at its place without a look at the others', () => {
  const count = 300;
  const text = compiled(`function f() { ${'g();'.repeat(count)} } function g() {}`);
  let asked = 0;
  for (let i = 0; i < count; i++) {
    const from = 'function f() { '.length + 4 * i;
    const ranges = Object.assign([[from, from + 1] as const], { toJSON: () => ++asked && [from] });
    const set = text.breakpoints.set({ ...text.function('f'), ranges, expressions: [], hit() {} });
    assert.equal(typeof set, 'object');
  }
  assert.equal(text.breakpoints.size, count);
  assert.ok(asked <= 2 * count, `the places of ${asked} requests were asked for`);
});
