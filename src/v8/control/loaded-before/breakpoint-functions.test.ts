import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Instrumented, instrument } from '../../instrument/index.js';
import { beginsWithLoop, breakpointFunctions } from './breakpoint-functions.js';

function placesOf(source: string) {
  const { functions, edits } = instrument(source, 'commonjs') as Instrumented;
  return breakpointFunctions(source, functions, edits);
}

test('a function’s breakpoints are looked for from its body’s beginning on', () => {
  const { places } = placesOf('// one\nfunction add(a, b) { return a + b; }\n');
  assert.deepEqual(places, [
    { start: { line: 1, column: 19 }, end: { line: 1, column: 36 }, inner: [], passes: 'this,a,b', isCoroutine: false },
  ]);
});

test('an arrow that only makes a function has no place for a breakpoint', () => {
  const { functions, places } = placesOf('const f = (a) => (b) => a + b;');
  assert.deepEqual([functions[0]?.reason, places[0]], ['curried', undefined]);
  assert.equal(places[1]?.start.column, 23);
});

test('places of inner functions are not the outer one’s', () => {
  const { places } = placesOf('function f(a) { a.map((b) => b); return a; }');
  assert.deepEqual(places[0]?.inner, [{ start: { line: 0, column: 22 }, end: { line: 0, column: 30 } }]);
});

test('a function that begins with a loop is not reached, and says why', () => {
  const { functions, places } = placesOf('function spin() { for (;;) {} }');
  assert.deepEqual([functions[0]?.reason, places[0]], ['loop', undefined]);
});

for (const body of [
  'while (x) {}',
  ' do { x() } while (y)',
  'for (;;) {}',
  '\n  // why\n  again: while (1) {}',
  'for ( ; x; ) {}',
]) {
  test(`${body.trim()} comes back to its beginning`, () => assert.equal(beginsWithLoop(`{${body}}`, 1), true));
}
for (const body of ['for (let i = 0; i < 2; i++) {}', 'for (const x of y) {}', 'whiles();', 'x = 1; while (x) {}', '']) {
  test(`${body === '' ? 'an empty body' : body} does not`, () => assert.equal(beginsWithLoop(`{${body}}`, 1), false));
}
