import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restore } from '../text/index.js';
import { instrumented, textOf } from './testing/test-realm.js';

/** The lines of a module, and whether each still is what its author wrote. */
function keptLines(source: string): readonly boolean[] {
  const made = textOf(source, 'module');
  assert.equal(restore(made), source);
  const lines = made.split('\n');
  return source.split('\n').map((line, i) => line === lines[i]);
}

const reasons = (source: string) => instrumented(source, 'module').functions.map(({ name, reason }) => [name, reason]);

test('a function on the line of a top-level await has no site, one beside it has', () => {
  const source = 'const f = (x) => { return x };\nconst g = (x) => x; await f(() => 1);\nfunction h() { return 1 } ';
  assert.deepEqual(keptLines(source), [false, true, false]);
  assert.deepEqual(reasons(source), [
    ['f', undefined],
    ['g', 'await'],
    ['f@2', 'await'],
    ['h', undefined],
  ]);
});

test('a body that begins below the await has its entry there', () => {
  const source = "await f(async (x) => {\n  return x;\n});\nawait f(function g() {\n  'use strict';\n  h();\n});";
  assert.deepEqual(keptLines(source), [true, false, false, true, false, true, false]);
  assert.ok(reasons(source).every(([, reason]) => reason === undefined));
  assert.deepEqual(keptLines('await f(\n  (x) =>\n    x + 1,\n);'), [true, true, false, true]);
});

test('a function that ends on the line has no site', () => {
  assert.deepEqual(reasons('const f = () => {\n  g();\n}; await f();'), [['f', 'await']]);
  assert.deepEqual(reasons('await f(() => {\n  return 2; }, await 1);'), [['f@1', 'await']]);
});

test('for await: its variable, and what leaves it', () => {
  const source = 'for\n await (const\n x of f(() => 1)) {\n  g(() => 2); break;\n  g(() => 3);\n}';
  assert.deepEqual(keptLines(source), [true, true, true, true, false, true]);
});

test('a try on the line has no site', () => {
  assert.deepEqual(keptLines('try { await f(); } catch {}\ntry {\n  await f();\n} catch {}'), [true, false, true, false]);
});

test('an await in a function is not at the top level, nor one in a longer line of a bundle', () => {
  assert.deepEqual(keptLines('async function f() { await g(() => 1); }'), [false]);
  assert.deepEqual(keptLines(`await f(() => 1); g(${'1, '.repeat(100)});`), [false]);
});

test('a text with its source map in it keeps its sites', () => {
  assert.deepEqual(keptLines('await f(() => 1);\n//# sourceMappingURL=data:application/json,{}'), [false, true]);
  assert.deepEqual(keptLines('await f(() => 1);\n//# sourceMappingURL=a.mjs.map'), [true, true]);
});
