/** What an instrumenter of JavaScript must not break, as far as the text is concerned: one test a hazard. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choosePrefix, restore } from '../text/index.js';
import { instrument } from './index.js';
import { instrumented, runArmed, runPlainAndIdle, textOf } from './testing/test-realm.js';

/** The result of a script is the same without sites, with idle ones and with armed ones, and its text can be restored. */
async function same(source: string): Promise<void> {
  const [plain, idle] = await runPlainAndIdle(source);
  assert.equal(idle, plain);
  assert.equal(JSON.stringify((await runArmed(source)).result) ?? 'undefined', plain);
  assert.equal(restore(textOf(source, 'script')), source);
}

const reasons = (source: string) => instrumented(source, 'script').functions.map((f) => [f.name, f.reason]);

test('names: the program may use any', async () => {
  await same('var $f = 1, $fs = 2; function f($fq) { return $f + $fs + $fq } f(3)');
  await same('function g() { return \\u0024fs; } var $fs = 5; g()');
  assert.equal(choosePrefix('a'), '$f');
  assert.equal(choosePrefix('$form'), '$f$');
  assert.equal(choosePrefix('$f$1 $f$$'), '$f$$$');
  assert.equal(choosePrefix('\\u{24}\\u0066'), '$f$');
});

test('a line break that ends a statement', async () => {
  await same(`var log = []; function t(x) { log.push(x); return t }
    function a() { return () => {}
    (t(1)) }
    function b() { return
    (t(2)) }
    function c(x) { return x++
    [1].forEach(t) }
    function d() { return
    /x/.test('x') }
    function e(x) { if (x) return
    else t(9) }
    function f() { do return x => x
    while (t(10)) }
    function g() { return x => x
    \`x\` }
    a(); b(); c(1); d(); e(1); e(0); f(); g(); log`);
});

test('a line break that ends a statement with await or yield', async () => {
  await same(`var log = []; function t(x) { log.push(x); return [] }
    async function a(x) {
      t(1)
      await x
      t(2)
      await x ? t(3) : t(4)
      const y = await x++
      ;[1].map(t)
      await x++
      t([5])
      for (const z of [1]) await z
      if (x) await x
      else await t(6)
      return y }
    function* g() { const f = yield
      t(7)
      yield
      t(8)
      yield () => {}
      t([9]) }
    a(1).then(() => { [...g()]; return log })`);
});

test('directives stay directives', async () => {
  await same(`function a() { 'use strict'
    return this === undefined }
    function b() { 'use strict' }
    function c() { "x"; 'use strict'
    return this === undefined }
    function d() { ('use strict'); return this === undefined }
    function e() { 'use strict'
    + ''; return this === undefined }
    function f() { /* c */ 'use strict' /* d */ ; return this === undefined }
    [a(), b(), c(), d(), e(), f()]`);
});

test('a hashbang, a byte order mark and comments before the prologue stay first', () => {
  const source = '#!/usr/bin/env node\n// c\n"use strict"\nfunction f() {}';
  assert.ok(textOf(source).startsWith('#!/usr/bin/env node\n// c\n"use strict"\n'));
});

test('functions keep the names that V8 gives them', async () => {
  await same(`function a() { return function () {} } function b() { return () => {} } function c() { return class {} }
    var d = () => function () {}; function e() { return (((function () {}))) } function f(x) { return x = function () {} }
    function* g() { yield function () {} } async function h() { return await function () {} }
    h().then((x) => [a(), b(), c(), d(), e(), f(), g().next().value, x].map((y) => y.name))`);
});

test('ticks: nothing is awaited more than before', async () => {
  await same(`const log = []; async function* a() {} async function* b() { return } async function* c() { return undefined }
    async function* d(x) { if (x) return; else return 1 } async function p() { return Promise.resolve(1) }
    async function q() { return await Promise.resolve(1) } const r = async () => Promise.resolve(1);
    async function* l() { yield; try { yield 1; return } finally { await 2 } }
    Promise.resolve().then(() => log.push(1)).then(() => log.push(2)).then(() => log.push(3)).then(() => log.push(4)).then(() => log.push(5));
    const all = { a, b, c, d, p, q, r, l };
    for (const k in all) { const x = all[k](1); (x.next ? x.next() : x).then(() => log.push(k)); if (x.next) x.next().then(() => log.push(k + 2)) }
    new Promise((resolve) => { setTimeout(() => resolve(log), 5) })`);
});

test('with: no sites in it and around it', async () => {
  assert.deepEqual(
    reasons('function around() { with (o) { inner(() => 1) } function beside() {} } with (o) { (function inside() {}) }'),
    [
      ['around', 'with'],
      ['around.inner@1', 'with'],
      ['beside', undefined],
      ['inside', 'with'],
    ],
  );
  await same(`var seen = []; var env = new Proxy({ x: 1 }, { has(t, k) { if (typeof k === 'string' && k !== 'seen') seen.push(k); return k in t } });
    with (env) { var f = function () { try { return x } catch {} }; var g = () => x }
    function h(o) { with (o) { return x } } f(); g(); h(env); seen`);
});

test('asm.js is left alone', () => {
  const source = `function M(stdlib) { 'use asm'; function f(x) { x = x | 0; return (x + 1) | 0 } return { f: f } }`;
  assert.equal(textOf(source), source);
  assert.deepEqual(reasons(source), [
    ['M', 'asm'],
    ['f', 'asm'],
  ]);
});

test('arrows are found by tokens', async () => {
  await same(`var a = x => /* => */ x, b = x => // =>
    x + 1, c = (x = '=>') => (x), d = (x = () => 2) => (((x()))), e = x => ({ x }), f = x => [x][0], h = x => y => z => x + y + z,
    i = x => (x, 2), j = x => \`\${(() => x)()}=>\`
    for (var k = x => ('a' in x), n = 0, l; n < 1; n++) l = k({ a: 1 });
    [a(1), b(1), c(), d(), e(1), f(1), h(1)(2)(3), i(1), j(1), l]`);
});

test('error texts: an immediately called function has as many statements as before', async () => {
  await same(`var u, o = {}; [() => (() => u)()(), () => (x => x)(1)(), () => (function () { f(); return u; function f() {} })()(),
    () => (function () {})()(), () => (function () { var a = 1; a++ })()(), () => o.f().g(), () => (async () => {})()(),
    () => (function () { try { return 1 } catch (e) { return } })()()].map((f) => { try { f() } catch (e) { return e.message } })`);
});

test('the exit that counts is the one that happens', async () => {
  await same(`var L = []; const l = (x) => (L.push(x), x); function a() { try { return l('ret') } finally { l('fin') } }
    function b() { try { return l(1) } finally { return l(2) } } function c() { for (;;) { try { return l('c') } finally { break } } return l('after') }
    function e() { x: { try { return 1 } finally { break x } } return 2 }
    function* g() { try { yield 1; return l('gr') } finally { yield l('gf') } }
    [a(), b(), c(), e(), [...g()], ((i) => [i.next(), i.return(7), i.next()])(g()), L]`);
});

test('parameters are not touched', async () => {
  await same(`function a(x) { arguments[0] = 2; return x } function b(x) { x = 3; return arguments[0] }
    function c(x = () => y, y = 1) { var y = 2; return [x(), y] } function e({ a, b: [c] } = { a: 1, b: [2] }) { return a + c }
    function f(a, a) { return a } function p(arguments) { return arguments } function q() { return (() => arguments[0])() }
    function n(n) { return typeof n; function n() {} }
    [a(1), b(1), c(), e(), f(1, 2), p(1), q(5), n(1), a.length, Reflect.ownKeys(a), Reflect.ownKeys(() => 1)]`);
  const params = (source: string) => instrumented(source, 'script').functions[0]?.params;
  assert.deepEqual(params('function f(a, a, b) {}'), ['a', 'b']);
  assert.deepEqual(params('function f(arguments, eval, g, \\u0061b, [c, { d = 1, ...e }], ...h) { function g() {} }'), [
    'c',
    'd',
    'e',
    'h',
  ]);
});

test('classes: constructors, static blocks, private names, fields', async () => {
  await same(`var L = []; class A { constructor(x) { if (x === 1) return; if (x === 2) return { o: 1 }; this.v = x } }
    class B extends A { constructor(x) { if (x === 0) return { early: 1 }; if (x === 9) return; const f = () => super(x); try { f() } finally { L.push('fin') } return x === 3 ? { three: 1 } : undefined } }
    class D { #x = 1; static #s = 2; get x() { return this.#x } set x(v) { this.#x = v; return 5 } static has(o) { return #x in o }
      static get s() { return D.#s } ['c' + (() => 1)()] = (() => this)(); static f = () => this;
      static { try { L.push((() => this === D)()) } catch {} } m() { return super.toString === Object.prototype.toString } }
    var d = new D(); d.x = 4; let thrown; try { new B(9) } catch (e) { thrown = e.message }
    [new A(1), new A(2), new A(3), new B(0), new B(2), new B(3), new B(4), thrown, d.x, D.has(d), D.has({}), D.s, d.c1 === d, D.f() === D, d.m(), L,
      new (class { constructor() { return new.target === this.constructor ? { t: 1 } : null } })()]`);
});

test('no space is needed where there was none', async () => {
  await same(`function a(){return/x/.test('x')}function b(){return-1}function c(){return[1]}function d(){return\`t\`}function e(){return{a:1}}
    function f(){return(1,2)}function g(x){return x,3}function h(){return"s"}function r(){if(1)return 1;else return 2}function s(){for(;;)return 1}
    function u(){return void 0/* => */}function v(){return(/* a */1/* b */)/* c */}function w(){// x
    }function x(){/* y */}function y(){return 1// z
    }
    [a(),b(),c(),d(),e(),f(),g(),h(),r(),s(),u(),v(),w(),x(),y()]`);
});

test('HTML comments, and each way to end a line', async () => {
  await same(`function f() { return 1 <!-- c
    }
    function g() {
--> x
    return 2
    }
    var k = (x) => x <!-- y
    ;[f(), g(), k(4)]`);
  await same(
    'function f() { return 1 } // c\rfunction g() { return 2 // d\u2028}\u2029function h() { return 3 }\r\n[f(), g(), h()]',
  );
});

test('CommonJS is read as inside its wrapper', () => {
  assert.ok(!('unparsed' in instrument('var await = 1; new.target; if (await) return; arguments', 'commonjs')));
  assert.deepEqual(instrument('await 1', 'commonjs'), { unparsed: 'Unexpected token', line: 1, column: 7 });
});

test('a generator keeps nothing that it would not keep', async () => {
  await same(`const refs = []; const make = () => { const o = {}; refs.push(new WeakRef(o)); return o };
    function* g() { yield make(); yield 1 } const it = g(); it.next(); refs.length`);
  assert.match(textOf('function* g() { yield make() }'), /\[\$fq,\$fq=0\]\[0\]/);
});

test('what cannot be parsed says so', () => {
  assert.ok('unparsed' in instrument('function (', 'script'));
  assert.ok('unparsed' in instrument(`${'('.repeat(100_000)}${')'.repeat(100_000)}`, 'script'));
});

test('the helper that esbuild puts into a text is not the program’s, what else is called so is', () => {
  const helper = 'var __name = (target, value) => __defProp(target, "name", { value, configurable: true });';
  assert.deepEqual(reasons(`${helper} const f = __name(() => 1, "f");`), [
    ['__name', 'helper'],
    ['f', undefined],
  ]);
  assert.deepEqual(reasons('const __name = (id, value) => store.set(id, value); function __name2() {}'), [
    ['__name', undefined],
    ['__name2', undefined],
  ]);
});
