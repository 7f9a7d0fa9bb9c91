import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FUNCTION_KIND } from '../js-text.js';
import { instrumented, textOf } from './testing/test-realm.js';

const KIND_NAMES = Object.keys(FUNCTION_KIND);

/** Source in, text out; the entries are shortened to `{1}`. */
const text = (source: string, type?: 'script' | 'module') =>
  textOf(source, type)
    .replace(/\{var \$fs=typeof \$f(\d+)==="function"&&\$f\1\(\1,(.*?)\)(,\$fq)?\}/g, '{$1 $2}')
    .replace(
      /\{\{var \$fs=!1(?:,\$fq)?\}if\(typeof \$f(\d+)==="function"&&typeof\(\$fs=\$f\1\(\1,(.*?)\)\)==="function"\)return \$fs\(\)\}/g,
      '{$1 $2}',
    );

test('an entry first, an exit last', () => {
  assert.equal(
    textOf('function f(a, b) { g(a) }'),
    'function f(a, b) {{{var $fs=!1}if(typeof $f1==="function"&&typeof($fs=$f1(1,this,a,b))==="function")return $fs()} g(a) /*$fe*/;{$fs&&$fx($fs)}}',
  );
  assert.equal(text('function f() {}'), 'function f() {{1 this}{$fs&&$fx($fs)}}');
});

test('a return exits with its value', () => {
  assert.equal(text('function f() { return g(1); }'), 'function f() {{1 this} return (($fq)=g(1),$fs&&$fx($fs,$fq),$fq); }');
  assert.equal(
    text('function f(x) { if (x) return; g(); }'),
    'function f(x) {{1 this,x} if (x) return void($fs&&$fx($fs)); g(); {$fs&&$fx($fs)}}',
  );
});

test('an arrow’s expression becomes a block', () => {
  assert.equal(
    textOf('x => x + 1'),
    'x => {{{var $fq,$fs}if(typeof $f1==="function"&&typeof($fs=$f1(1,0,x))==="function")return $fs()}return (($fq)=x + 1,$fs&&$fx($fs,$fq),$fq)/*$f*/}',
  );
});

test('an arrow passes `this` where it uses it anyway, a derived constructor never', () => {
  assert.deepEqual(
    instrumented(
      `class A extends B { constructor() { super(); (() => this)() } m() { return [() => this, () => 1] } }`,
    ).functions.map((f) => [KIND_NAMES[f.kind], f.hasThis]),
    [
      ['derived-constructor', false],
      ['arrow', false],
      ['method', true],
      ['arrow', true],
      ['arrow', false],
    ],
  );
});

test('a catch hands over what it has caught, a pattern nothing of it', () => {
  const caught = (source: string): string | undefined => /\{[^{}]*\$fu[^{}]*\}/.exec(text(source))?.[0];
  assert.equal(caught('function f() { try { g() } catch (e) {} }'), '{$ft&&$fu($ft,e)}');
  assert.equal(caught('function f() { try { g() } catch ({ code }) { h(code) } }'), '{$ft&&$fu($ft,0,0)}');
  assert.equal(
    caught('async function f() { try { await g() } catch (e) {} }'),
    '{$fs&&$fw($fs,e),$ft?$fu($ft,e):$ft=typeof $fd==="function"&&$fd(e)}',
  );
});

test('try notes the depth, catch and finally unwind to it', () => {
  assert.equal(
    text('function f() { try { g() } catch { h() } }'),
    'function f() {{1 this} try {{var $ft=typeof $fd==="function"&&$fd()} g() } catch ($fc){{$ft&&$fu($ft,$fc)} h() } {$fs&&$fx($fs)}}',
  );
  assert.equal(
    text('try { g() } catch { }'),
    'try {{var $ft=typeof $fd==="function"&&$fd()} g() } catch ($fc){{$ft&&$fu($ft,$fc)} }',
  );
  assert.equal(text('try { g() } catch { }', 'script'), 'try { g() } catch { }');
});

test('a return that runs through a finally exits at the end of the outermost', () => {
  assert.equal(
    text('function f() { try { return 1; } finally { g(); } }'),
    'function f() {{1 this} try {{var $ft=typeof $fd==="function"&&$fd(),$fr=$fr===1?0:$fr,$fp} return (($fp)=1,$fr=1,$fp); }' +
      ' finally {{$ft&&$fu($ft)} g(); {$fr===1&&$fs&&$fx($fs,$fp)}} {$fs&&$fx($fs)}}',
  );
});

test('await and yield leave the graph and come back', () => {
  assert.equal(
    text('async function f() { const x = await g(); await x }'),
    'async function f() {{1 this}try{/*$f*/ const x = (($fq)=await (($fq)=g(),$fs&&$fz($fs),$fq),$fs&&$fw($fs),$fq);' +
      ' await (($fq)=$fs&&$fz($fs),x/*$f*/),$fs&&$fw($fs) /*$fe*/;{$fs&&$fy($fs)}/*$f*/}finally{$fs&&$fk($fs)}}',
  );
  assert.equal(
    text('function* f() { yield 1; yield; yield* g() }'),
    'function* f() {{1 this} yield (($fq)=$fs&&$fz($fs),1/*$f*/),$fs&&$fv($fs); $fq=$fs&&$fz($fs),yield,$fs&&$fv($fs);' +
      ' yield* (($fq)=g(),$fs&&$fz($fs),[$fq,$fq=0][0]),$fs&&$fv($fs) /*$fe*/;{$fs&&$fy($fs)}}',
  );
});

test('a function declared in the body of a coroutine stays there', () => {
  assert.equal(
    text('async function f() { g(); function g() {} }'),
    'async function f() {{1 this} g(); function g() {{2 this}{$fs&&$fx($fs)}} {$fs&&$fy($fs)}}',
  );
});

test('for await is away between its turns', () => {
  assert.equal(
    text('async function f() { for await (const x of g()) { if (x) continue; h(x) } }'),
    'async function f() {{1 this}try{/*$f*/ for await (const x of (($fq)=g(),$fs&&$fz($fs),$fq)) {{$fs&&$fw($fs)} if (x)' +
      ' {/*$f*/{$fs&&$fz($fs)}continue;/*$f*/} h(x) /*$fe*/;{$fs&&$fz($fs)}}{$fs&&$fw($fs)} {$fs&&$fy($fs)}/*$f*/}finally{$fs&&$fk($fs)}}',
  );
});

test('the kinds of functions', () => {
  const source = `function f() {} const a = () => 1; class A { constructor() {} m() {} get g() { return 1 } set g(v) {} }
    class B extends A { constructor() { super() } } async () => 1; function* g() {} async function* h() {} ({ m() {}, get g() { return 1 } })`;
  assert.deepEqual(
    instrumented(source).functions.map((f) => KIND_NAMES[f.kind]),
    [
      'function',
      'arrow',
      'constructor',
      'method',
      'getter',
      'setter',
      'derived-constructor',
      'async',
      'generator',
      'async-generator',
      'method',
      'getter',
    ],
  );
});

test('the table has positions, parameters and what the source says of itself', () => {
  const { functions, sourceMappingURL } = instrumented(
    'const a = 1;\n  class A { static async m({ x, y: [z] }, ...rest) { await import("b") } }\n//# sourceMappingURL=a.js.map\n',
  );
  assert.deepEqual(functions, [
    {
      start: 25,
      end: 85,
      line: 2,
      column: 13,
      name: 'A.m',
      kind: FUNCTION_KIND.async,
      params: ['x', 'z', 'rest'],
      repack: '{x:x,y:[z]},...rest',
      hasThis: true,
    },
  ]);
  assert.equal(sourceMappingURL, 'a.js.map');
});

test('two functions never share an address', () => {
  const { functions } = instrumented(
    'x => y => (function () {}, async z => z); ({ [function () {}]() {}, async *m() {}, get [(() => 1)()]() { return 1 } })',
  );
  assert.equal(new Set(functions.map((f) => f.start)).size, functions.length);
});
