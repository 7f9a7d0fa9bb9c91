import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { tokenizer } from 'acorn';
import { Random } from '../../../test/fuzz/random.js';
import { assemble } from '../text/index.js';
import { type Instrumented, instrument } from './index.js';
import { type AnyNode, parse, type SourceType } from './parse.js';
import { difference } from './testing/same-tree.js';
import { parseFast } from './wasm-parser.js';

const TYPES = ['commonjs', 'module', 'script'] as const;
const ROOT = new URL('../../../../', import.meta.url).pathname;

const read = (source: string, type: SourceType): AnyNode | undefined => {
  try {
    return parse(source, type) as AnyNode;
  } catch {
    return undefined;
  }
};

/** What is wrong with how a source is read, as a sentence. @returns undefined also where it is left to acorn */
const fault = (source: string, type: SourceType): string | undefined => {
  const acorns = read(source, type);
  const tree = parseFast(source, type, true);
  if (tree === undefined) return undefined;
  return acorns === undefined ? 'acorn refuses it' : difference(acorns, tree);
};

/** Each is read as acorn reads it. */
// biome-ignore-start lint/suspicious/noTemplateCurlyInString: templates of the programs
const SOURCES = [
  '"use strict"; \'use asm\'\nlet a = 1, [b, , c = 2, ...d] = e, { f, g: h, [i]: j = 3, "k": l, ...m } = n',
  'a: b: for (;;) { continue a; } do x++; while (y) if (a) b; else if (c) d; else {}',
  'switch (a) { case 1: b; break; default: case c: { d } } try { throw a } catch { b } finally { c }',
  'try { a } catch ({ message }) { b } for (const a of b) c; for (var a in b, c) d; for (a.b of c) d; for (let i = 0, n = 1; i < n; i++);',
  'a ? b : c; a = b += c **= d &&= e ||= f ??= g; a ?? b; (a ?? b) || c && d | e ^ f & g == h < i << j + k * l ** m',
  'typeof void delete !~-+a; ++a.b; a[0]--; a\n++b; (a, b); [a, , ...b]; `a${b}c${`d`}\\u0041`; a`b`; /[/]\\//g.test(a) / b / c; a = /=/',
  'a?.b?.[c]?.(d).e; new a; new a.b(c); new (a())(); a.if.class; this; 0x1f + 0b1_0 + 1e-3 + .5 + 10n + 1_000.5',
  '({ a, b: c, [d]: e, "f": g, 1: h, get i() {}, set i(v) {}, async j() {}, *k() {}, async *l() {}, async: 1, get: 2, set, ...m, if: 3 })',
  '[a, { b = 1, c: [d] }, ...e] = f; ({ a: b.c, ...d } = e); (a) = 1; for ([a, b] of c); ({ __proto__: a, "b": 1 })',
  'a => b; (a, b = 1, { c }, [d], ...e) => ({}); async a => await b; async (a) => { await a; for await (const b of c) d }; async (a, b); async\nc',
  'function f(a, b = a, ...c) { return\nnew.target } function h(a) { "use strict"; return\nnew.target } function* g() { const a = yield; yield* b; yield\nc } (async function* () {})()',
  'class A extends (B, C) { static #a = 1; b; "c" = d; [e] = f; static { this.x } constructor() { super(); super.g } get #h() {} set #h(v) {} static async *i() { #a in b } static; get; async }',
  'export default class {} export const a = 1, { b, c: [d] } = e; export { a as f, b as default2 } ; export * from "g"; export * as h from "i"; import j, { k as l, default as m } from "n" with { type: "json" }; import * as o from "p"; import "q"; import.meta.url; await import("r", s)',
  'export { a as "module.exports", a as \'b\' }; var a; export * as "c d" from "e"',
  'export default async function () {} export { x }; var x; export async function y() {}',
  'if (a) { function b() {} } var c; var c; function d() {} function d() {} label: { break label }',
  '#!/usr/bin/env node\n/* a\n*/ // b\n"\\x41\\u{1f600}\\\n\\0"; \'\u2028\'; let\u00a0a\u2029b',
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: templates of the programs

const skip = !existsSync(new URL('./parser.wasm', import.meta.url)) && 'assemblyscript was not installed when fentry was built';

test('a source is read as acorn reads it', { skip }, () => {
  let count = 0;
  for (const source of SOURCES) {
    const types = TYPES.filter((type) => read(source, type) !== undefined);
    assert.ok(types.length > 0, source);
    for (const type of types) {
      assert.ok(parseFast(source, type), `${type}: left to acorn: ${source}`);
      assert.equal(fault(source, type), undefined, `${type}: ${source}`);
      count++;
    }
  }
  assert.ok(count > SOURCES.length);
});

test('what is not known for sure is left to acorn', () => {
  for (const source of [
    'with (a) b',
    'let \\u0061',
    'ä = 1',
    '010',
    '"\\7"',
    'a <!-- b',
    'yield = 1',
    'let = 1',
    'await(1)',
    'if (a) function f() {}',
    'using a = b',
    '({ __proto__: 1, __proto__: 2 })',
  ])
    assert.equal(parseFast(source, 'commonjs'), undefined, source);
  assert.equal(parseFast('a', 'async-body'), undefined);
});

test('what is no program is refused', () => {
  for (const source of [
    'let a; var a',
    'const a',
    'let a, a',
    'function f(a) { let a }',
    '(a, a) => 1',
    'function f(a, a) { "use strict" }',
    'function f(a = 1) { "use strict" }',
    '"use strict"; eval = 1',
    '"use strict"; delete a',
    'class A { #a; #a }',
    'class A { constructor() {} constructor() {} }',
    'class A { constructor() { super() } }',
    'a.#b',
    '({ a = 1 })',
    '({ a: 1 } = 2)',
    '[a + b] = c',
    'a() = 1',
    'a ?? b || c',
    '-a ** b',
    'a?.b = 1',
    'new a?.b()',
    'for (const a in b, c of d);',
    'for (let a = 1 of b);',
    'break',
    'a: { continue a }',
    'a: a: b',
    'import "a"',
    'async () => { function f() { await a } }',
    'async (a = await b) => c',
    'function* f(a = yield) {}',
    '(a, ) + 1',
    '(...a)',
    '`a',
    '/a',
    '"a\n"',
    '/* a',
    '1a',
    '1__0',
    '"\\u{110000}"',
  ]) {
    assert.equal(read(source, 'commonjs'), undefined, source);
    assert.equal(parseFast(source, 'commonjs'), undefined, source);
  }
  for (const source of [
    'export { a }',
    'export let a; export { a }',
    'let a; export { a as "b", a as b }',
    'let a; export { a as "\\u0062" }',
    'let a; export { a as "\ud800" }',
    'let a; import a from "b"',
    'import { if } from "a"',
  ])
    assert.equal(parseFast(source, 'module'), undefined, source);
});

/** The files of a folder that are JavaScript. */
const filesOf = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[cm]?js$/.test(name))
    .map((name) => readFileSync(join(ROOT, folder, name), 'utf8'));

/** What the parser in WebAssembly says of functions and blocks, so that the walk need not look: each in forms that differ. */
const HINTED = [
  'function f(a, arguments) {} function g(eval) {} function h(a, a) {} function i(Function) {} function j(constructor) {}',
  `function f(${Array.from({ length: 17 }, (_, i) => `a${i}`)}) {} (${Array.from({ length: 16 }, (_, i) => `a${i}`)}) => a0`,
  'function f(a, b) { function b() {} } function g(a) { x: y: function a() {} } (a) => { { function a() {} } }; (f, g) => -f',
  'function f(ab, b) { function a() {} x: function abc() {} } () => { function a() {} }; (c) => { function ab() {} function c() {} }',
  'function f() { "a"; "use strict"\n} function g() { "use asm" } function h() { "a"\n(b) } (() => { "a"\n})(); async () => { "a"; b }',
  'function f() { return; function g() {} } function h() { if (a) return; else { throw b } } function i() { a; { return } ; }',
  'async function f() { function g() {} } async () => { a: function b() {} }; (function () { a; function b() {} c\n})()',
  'function f() { try { return a } finally { b\n} } function g() { try {} finally { function c() {} } }',
];

/** Programs with prototypes, and with classes; and short texts. */
const programs = (): readonly string[] => [
  ...['express/lib', 'ws/lib', 'send'].flatMap((name) => filesOf(`node_modules/${name}`)),
  ...SOURCES,
  ...HINTED,
];

test('sites, names, what else is told of a text and the text with sites are the same from both parsers', { skip }, () => {
  let count = 0;
  for (const source of programs()) {
    for (const type of TYPES) {
      for (const further of [{}, { module: true }]) {
        let isFast = false;
        const fast = instrument(source, type, further, (...args) => {
          const tree = parseFast(...args);
          isFast = tree !== undefined;
          return tree;
        });
        if (!isFast) continue;
        const slow = instrument(source, type, further, () => undefined) as Instrumented;
        const { assemble: makeText, ...told } = fast as Instrumented;
        assert.deepEqual(told, slow);
        assert.equal(makeText?.('$f$', 1), assemble(source, slow.edits, '$f$', 1));
        count++;
      }
    }
  }
  assert.ok(count > 120);
});

/** What is put into texts, to make others that are nearly right. */
const PIECES =
  `let const var function async await yield of in class static get set => = { } ( ) [ ] ; , ... ?. ?? || && ** ++ -- / /a/ \` \${ new super this
  import export default return break continue for while if else do try catch finally #x x a: eval arguments "use\u0020strict" delete - ! 0 1n null
  new.target import.meta enum private label: case switch throw * extends yield* from as`.split(/\s+/);

const tokensOf = (source: string): string[] => {
  const tokens: string[] = [];
  let at = 0;
  for (const { end } of tokenizer(source, { ecmaVersion: 'latest' })) {
    tokens.push(source.slice(at, end));
    at = end;
  }
  return [...tokens, source.slice(at)];
};

test('no text with changed tokens is accepted that acorn refuses, or is read in another way', { skip }, () => {
  const random = new Random(27);
  const changes: readonly ((tokens: string[], at: number) => unknown)[] = [
    (tokens, at) => tokens.splice(at, 1),
    (tokens, at) => tokens.splice(at, 0, ` ${random.pick(PIECES)} `),
    (tokens, at) => tokens.splice(at, 1, ` ${random.pick(PIECES)} `),
    (tokens, at) => tokens.splice(at, 0, random.pick(tokens)),
    (tokens, at) => tokens.splice(at, 0, '\n'),
  ];
  const originals = SOURCES.map(tokensOf);
  let accepted = 0;
  for (let i = 0; i < 4000; i++) {
    const tokens = [...random.pick(originals)];
    for (let n = random.below(3); n >= 0; n--) random.pick(changes)(tokens, random.below(tokens.length));
    const source = tokens.join('');
    const type = random.pick(TYPES);
    assert.equal(fault(source, type), undefined, `${type}: ${source}`);
    if (parseFast(source, type)) accepted++;
  }
  assert.ok(accepted > 200, `${accepted}`);
});
