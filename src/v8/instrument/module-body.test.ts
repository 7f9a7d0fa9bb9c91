import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FUNCTION_KIND } from '../js-text.js';
import { assemble, choosePrefix } from '../text/index.js';
import { type Instrumented, instrument, type SourceType } from './index.js';

const withModuleSites = (source: string, type: SourceType): Instrumented => {
  const made = instrument(source, type, { module: true });
  if ('unparsed' in made) throw new Error(`${made.unparsed}: ${source}`);
  return made;
};

const text = (source: string, type: SourceType = 'module'): string =>
  assemble(source, withModuleSites(source, type).edits, choosePrefix(source), 1)
    .replace(/\{var \$fs=typeof \$f(\d+)==="function"&&\$f\1\(\1,0\)(,\$fq)?\}/g, '{begin $1}')
    .replace(/\{\$fs&&\$fx\(\$fs\)\}/g, '{end}')
    .replaceAll('/*$fe*/', '');

/** Name, start and end of each function of the source; the module's own has no name yet. */
const functions = (source: string, type: SourceType = 'module') =>
  withModuleSites(source, type).functions.map(({ kind, name, start, end }) => [
    kind === FUNCTION_KIND.module ? 'the module' : name,
    start,
    end,
  ]);

test('a module begins before its first statement and ends after its last', () => {
  assert.equal(text(`import a from 'a';\na()\n// the end`), `{begin 1}import a from 'a';\na();{end}\n// the end`);
  assert.equal(text('#!/usr/bin/env node\nrun();', 'commonjs'), '#!/usr/bin/env node\n{begin 1}run();{end}');
  assert.equal(text('export default class {}'), '{begin 1}export default class {};{end}');
  assert.equal(text(`'use strict'\nrun()`, 'commonjs'), `'use strict'\n{begin 1}run();{end}`);
});

test('a CommonJS module can return', () => {
  assert.equal(
    text('if (done) return 5; run();', 'commonjs'),
    '{begin 1}if (done) return (($fq)=5,$fs&&$fx($fs,$fq),$fq); run();{end}',
  );
});

test('functions keep their names, and stand in the order of their starts', () => {
  assert.deepEqual(functions('const twice = (x) => 2 * x;\ntwice(1);'), [
    ['the module', 0, 37],
    ['twice', 14, 26],
  ]);
  assert.deepEqual(functions('function a() {}\nfunction b() {}\na(() => b());'), [
    ['a', 0, 15],
    ['the module', 15, 45],
    ['b', 16, 31],
    ['a@3', 34, 43],
  ]);
  assert.match(text('function a() {}\na();'), /^\{begin 2\}function a\(\) \{.*\$f1\(1,this\).*\}\na\(\);\{end\}$/);
});

test('the sites of the functions have the right numbers where the module is not the first', () => {
  assert.match(text('function a() {}\na(() => 1);'), /\$f1\(1,this\).*\n.*\$f3\(3,0\)/);
});

test('a text of functions alone, an empty one and a script have no such sites', () => {
  for (const source of ['function a() {}', '', '"use strict";']) {
    assert.equal(
      functions(source).some(([name]) => name === 'the module'),
      false,
      source,
    );
  }
  assert.equal(functions('a();', 'script').length, 0);
});

test('a module that waits is listed, without sites', () => {
  for (const source of ['await a();', 'for await (const x of y) z(x);', 'if (a) { await b() }']) {
    assert.deepEqual(
      withModuleSites(source, 'module').functions.map(({ reason }) => reason),
      ['await'],
    );
    assert.equal(text(source), source);
  }
  assert.equal(withModuleSites('a(async () => await b());', 'module').functions[0]!.reason, undefined);
});

test('a module says what it imports, in the order of its declarations', () => {
  const source = `import a from './a.mjs';\nexport * from './b.mjs';\nexport { c } from './c.mjs';\nimport './a.mjs';\nimport('d');`;
  assert.deepEqual(withModuleSites(source, 'module').functions[0]!.imports, ['./a.mjs', './b.mjs', './c.mjs']);
});

test('an exception that the module catches ends the calls inside of it', () => {
  assert.equal(
    text('try { a(); } catch { b(); }'),
    '{begin 1}try {{var $ft=typeof $fd==="function"&&$fd()} a(); } catch ($fc){{$ft&&$fu($ft,$fc)} b(); }{end}',
  );
});
