import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { assemble, choosePrefix, restore } from '../text/index.js';
import { decodeStatements } from '../text/statement-list.js';
import { type Instrumented, instrument } from './index.js';

const made = (source: string): Instrumented => {
  const result = instrument(source, 'script', { statements: true });
  if ('unparsed' in result) throw new Error(`${result.unparsed}: ${source}`);
  return result;
};

const textOf = (source: string): string => assemble(source, made(source).edits, choosePrefix(source), 1);

/** The cells of a source: idle ones, or such as tell of each site, as the line of its statement and the values that it passes. */
function cells(source: string, told: string[] | undefined): Record<string, unknown> {
  const global: Record<string, unknown> = {};
  for (const letter of ['x', 'y', 'z', 'w', 'v', 'k', 'd', 'u']) global[`$f${letter}`] = 0;
  made(source).functions.forEach(({ start, statements }, i) => {
    global[`$f${i + 1}`] = 0;
    const sites = statements === undefined ? [] : decodeStatements(statements);
    const tell = (k: number, ...values: unknown[]): void => {
      const { from, to, names } = sites[k]!;
      assert.equal(values.length, names.length);
      const shown = names.flatMap((name, j) => (name === 'this' ? [] : [`${name}=${String(values[j])}`]));
      told!.push([source.slice(start + from, start + to), ...shown].join(' '));
    };
    global[`$fl${i + 1}`] = told === undefined ? 0 : tell;
  });
  return global;
}

/** What the sites tell while a source runs; its result must be that of the plain source, armed and idle. */
function told(source: string): readonly string[] {
  const heard: string[] = [];
  const result = (text: string, global: object): string => JSON.stringify(runInNewContext(text, global)) ?? 'undefined';
  const plain = result(source, {});
  assert.equal(result(textOf(source), cells(source, undefined)), plain);
  assert.equal(result(textOf(source), cells(source, heard)), plain);
  assert.equal(restore(textOf(source)), source);
  assert.equal(textOf(source).split('\n').length, source.split('\n').length);
  return heard;
}

test('a site passes what has a value before its statement', () => {
  assert.deepEqual(told('function f(a) { let b = a + 1; const c = b + 1; return c } f(1)'), [
    'let b = a + 1; a=1',
    'const c = b + 1; b=2 a=1',
    'return c c=3 b=2 a=1',
  ]);
});

test('a name that a block declares later hides the one around it, and is not read', () => {
  assert.deepEqual(told('function f(a) { { a1(); let a = 2; a1(); function a1() {} } return a } f(1)'), [
    'a1();',
    'let a = 2;',
    'a1(); a=2',
    'return a a=1',
  ]);
});

test('the name of one case of a switch is not read in another', () => {
  assert.deepEqual(told('function f(a) { switch (a) { case 0: let b = 1; b++; case 1: a++; b => b } return a } f(1)'), [
    'switch (a a=1',
    'a++; a=1',
    'b => b a=2',
    'return a a=2',
  ]);
});

test('statements that are bodies get braces; a loop has no site that its test would share', () => {
  assert.deepEqual(
    told(
      'function f(n) { var s = 0; for (let i = 0; i < n; i++) if (i % 2) s += i\nelse continue\nwhile (n > 0) n--\nreturn s } f(3)',
    ),
    [
      'var s = 0; n=3',
      'let i = 0 s=0 n=3'.replace('let', 'for (let'),
      'if (i % 2 i=0 s=0 n=3',
      'continue i=0 s=0 n=3',
      'if (i % 2 i=1 s=0 n=3',
      's += i i=1 s=0 n=3',
      'if (i % 2 i=2 s=1 n=3',
      'continue i=2 s=1 n=3',
      'n-- s=1 n=3',
      'n-- s=1 n=2',
      'n-- s=1 n=1',
      'return s s=1 n=0',
    ],
  );
});

test('what is caught and what a loop goes over has a value in the body only', () => {
  assert.deepEqual(
    told('function f(list) { for (const { x } of list) { try { throw x } catch (e) { list = e } } return list } f([{ x: 1 }])'),
    [
      'list list=[object Object]',
      'throw x x=1 list=[object Object]',
      'list = e e=1 x=1 list=[object Object]',
      'return list list=1',
    ],
  );
});

test('a statement ends where it ended, whatever the site looks like to the line before', () => {
  for (const source of [
    'function f() { var let = 3, b\nb = let\nb++\nreturn b } f()',
    'function f(a) { do a--; while (a > 0) a = 5\nreturn a } f(2)',
    'function f() { "use strict"\nreturn this } f()',
    'function f() { var a = 1\n++a\nreturn a } f()',
    'function f(a) { if (a) return 1; else if (a === 0) throw 2; else return 3 } [f(1), f(null)]',
    'function f(a) { out: for (const x of [1, 2]) { for (;;) { if (x === a) break out; continue out } } return a } f(2)',
    'function f() { return\n1 } f()',
    '(function (a) { const b = a; var c = b; a = c + 1; return a })(1)',
    '(function () { "a"; try { [].x.y } catch (e) { return e.message } })()',
    '(() => { let x = 1; return eval("x + 1") })()',
    'function f(a, b = () => a, ...c) { var a = 2; return [a, b(), c.length] } f(1, undefined, 3)',
    'function f() { class A { m() { return 1 } static { this.s = 2 } p = 3 } return [new A().m(), A.s, new A().p] } f()',
    'class B {} class A extends B { constructor() { var t = 1; super(); this.t = t } } new A().t',
    'function f() { var \\u0061b = 1; \\u0061b++; return ab } f()',
    'function f() { if (true) function g() { return 7 } return g() } f()',
    'function f(arguments) { var eval = 2; return arguments + eval } f(1)',
    'function f(x) { for (var i in x) for (var j of x[i]) ; return i + j } f({ a: "bc" })',
    'function f(x) { a: { if (x) break a; x = 2 } return x } [f(1), f(0)]',
    'function f(o) { with (o) { x = 2 } return o.x } f({ x: 1 })',
  ]) {
    told(source);
  }
});

test('in an error’s text the parts of an expression are counted as before', () => {
  const source = '(function () { var a = 1; null.x; return a })()';
  const message = (text: string, global: object): unknown => {
    try {
      return runInNewContext(text, global);
    } catch (error) {
      return (error as Error).message;
    }
  };
  assert.equal(message(textOf(source), cells(source, undefined)), message(source, {}));
});

test('coroutines pass the values of each turn', async () => {
  const heard = told(
    'async function f(a) { const b = await a; return b }\nfunction* g() { for (let i = 0; i < 2; i++) yield i }\nf(1); [...g()]',
  );
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(heard, ['const b = await a; a=1', 'for (let i = 0', 'yield i i=0', 'yield i i=1', 'return b b=1 a=1']);
});

test('without the option there is no site at a statement', () => {
  const result = instrument('function f(a) { return a }', 'script') as Instrumented;
  assert.equal(result.functions[0]!.statements, undefined);
});
