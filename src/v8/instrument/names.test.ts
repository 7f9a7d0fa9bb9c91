import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instrumented } from './testing/test-realm.js';

const names = (source: string) => instrumented(source).functions.map((f) => f.name);

test('declarations, variables and default values have their own name', () => {
  assert.deepEqual(
    names('function a() {} const b = () => {}; let c = function () {}, d; d = () => {}; function e(f = () => {}) {}'),
    ['a', 'b', 'c', 'd', 'e', 'f'],
  );
});

test('members of a class: get and set are part of the name', () => {
  assert.deepEqual(
    names(`class A { constructor() {} m() {} static s() {} get g() {} set g(v) {} #p() {} [Symbol.iterator]() {}
    'a b'() {} field = () => {}; static of = () => {} }`),
    ['A.constructor', 'A.m', 'A.s', 'A.get.g', 'A.set.g', 'A.private.p', 'A.@@iterator', 'A.a_b', 'A.field', 'A.of'],
  );
  assert.deepEqual(
    names('const B = class { m() {} }; exports.C = class { m() {} }; function mix(X) { return class extends X { m() {} } }'),
    ['B.m', 'C.m', 'mix', 'mix.class@1.m'],
  );
});

test('an assigned function is named after the target; exports and prototype are left out', () => {
  assert.deepEqual(
    names(`exports.parse = function () {}; module.exports.x = () => {}; Foo.prototype.bar = function () {};
    app.handle = function handle() {}; app.use = function other() {}; a.b.c = () => {}; function K() { this.m = () => {} }`),
    ['parse', 'x', 'Foo.bar', 'app.handle', 'other', 'a.b.c', 'K', 'K.m'],
  );
  assert.deepEqual(names('module.exports = function () {}'), ['module.exports']);
  assert.deepEqual(names('var proto = module.exports = function () {}'), ['proto']);
});

test('object literals', () => {
  assert.deepEqual(
    names(`module.exports = { a() {}, b: () => {}, get c() {} }; const o = { m() {}, n: { deep() {} } };
    function store() { return { load() {} } } serve({ fetch() {} }); Object.assign(Foo.prototype, { one() {} })`),
    ['a', 'b', 'get.c', 'o.m', 'o.n.deep', 'store', 'store.load', 'serve.fetch', 'Foo.one'],
  );
  assert.deepEqual(
    names(
      `Object.defineProperty(exports, 'x', { get: function () {} }); Object.defineProperty(Foo.prototype, 'y', { get() {} })`,
    ),
    ['get.x', 'Foo.get.y'],
  );
});

test('anonymous functions are called after where they stand', () => {
  assert.deepEqual(names('function total(items) {\n return items.map((i) => i.price)\n}'), ['total', 'total.map@2']);
  assert.deepEqual(names(`app.get('/items/:id', (req, res) => {});\nserver.on('connection', () => {})`), [
    'app.get/items/{id}@1',
    'server.on.connection@2',
  ]);
  assert.deepEqual(names('function load() { return new Promise((resolve) => setTimeout(() => resolve(), 1)) }'), [
    'load',
    'load.Promise@1',
    'load.setTimeout@1',
  ]);
  assert.deepEqual(names('function mw() { return () => {} } (() => {})(); const m = (function () {})()'), [
    'mw',
    'mw.return@1',
    'iife@1',
    'm.iife@1',
  ]);
  assert.deepEqual(names('var Kind; (function (Kind) {})(Kind || (Kind = {}))'), ['Kind']);
});

test('a column tells the places of one line apart', () => {
  assert.deepEqual(names('f(() => 1, () => 2)'), ['f@1.3', 'f@1.12']);
});

test('a symbol holds no white space and nothing that a control file gives a meaning', () => {
  for (const name of names(`x['a b:c*d?e[f]g!h#i,j\\n'] = () => {}; it('does: a, b!', () => {}); ({ '1': () => {} })`)) {
    assert.doesNotMatch(name, /[\s:*?[\]!#,]|^\d/);
  }
});

test('a function that esbuild wraps to keep its name is called as if it were not wrapped', () => {
  const helper = 'var __name = (target, value) => Object.defineProperty(target, "name", { value });';
  assert.deepEqual(
    names(`${helper} const load = __name(async (id) => id, "load"); exports.find = __name(function() {}, "find");
    const o = { m: __name(() => {}, "m") }; items.map(__name((x) => x, "x1"));`),
    ['__name', 'load', 'find', 'o.m', 'items.map@2'],
  );
});
