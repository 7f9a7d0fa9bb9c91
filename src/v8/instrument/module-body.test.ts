import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isModuleCode } from '../js-text.js';
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
    .replaceAll('{$fs&&$fz($fs,1)}', '{waits}')
    .replaceAll('{$fs&&$fw($fs)}', '{back}')
    .replaceAll('{$fs&&$fy($fs)}', '{async end}')
    .replaceAll('/*$fe*/', '');

/** Name, start and end of each function of the source; the module's own has no name yet. */
const functions = (source: string, type: SourceType = 'module') =>
  withModuleSites(source, type).functions.map(({ kind, name, start, end }) => [
    isModuleCode(kind) ? 'the module' : name,
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

test('a module that waits comes back before the statement after each wait', () => {
  assert.equal(
    text(`import a from 'a';\na();\nawait b();\nc(); d()\n`),
    `{begin 1}{waits}import a from 'a';\na();\nawait b();\n{back}c(); d();{back}{async end}\n`,
  );
  assert.equal(
    text('a();\nfor (const b of c) {\n  await b;\n  d();\n}\ntry {\n  await e();\n} catch {\n  f();\n}'),
    '{begin 1}{waits}a();\nfor (const b of c) {{back}\n  await b;\n  {back}d();\n}\n{back}' +
      'try {{var $ft=typeof $fd==="function"&&$fd()}{back}\n  await e();\n} ' +
      'catch ($fc){{$ft&&$fu($ft,$fc)}\n  {back}f();\n}{back}{async end}',
  );
});

test('no site of a module stands on the line of a wait: the next place outside of comments has it', () => {
  assert.equal(text('// a\nawait b();\n'), '{begin 1}{waits}// a\nawait b();\n{back}{async end}');
  assert.equal(
    text('#!/usr/bin/env node\r\n/* a\nb */\r\nawait c(); /* d\n e */ // f\r\n// g'),
    '#!/usr/bin/env node\r\n{begin 1}{waits}/* a\nb */\r\nawait c(); /* d\n e */ // f\r\n{back}{async end}// g',
  );
  assert.equal(
    text('a()\nawait b()\nawait c(`\n`)\n// d\nawait e()\n;f()'),
    '{begin 1}{waits}a()\nawait b()\nawait c(`\n`)\n{back}// d\nawait e()\n;{back}f();{back}{async end}',
  );
});

test('a module that waits where its entry, or its exit, would be is listed, without sites', () => {
  for (const source of [
    'await a();',
    'for await (const x of y) z(x);',
    'if (a) { await b() }',
    'await a();\nb();\n',
    'b();\nawait a();',
  ]) {
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
