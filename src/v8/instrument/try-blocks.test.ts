import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tryBlocks } from './try-blocks.js';

/** The parts of the `try` statements of the source's first function, as text. */
function parts(source: string): unknown {
  const end = source.lastIndexOf('}') + 1;
  const textOf = (span?: readonly [number, number]): string | undefined => span && source.slice(...span);
  return tryBlocks(source, { start: 0, end })?.map(({ block, handler, finalizer, mayEndThrow }) =>
    [textOf(block), textOf(handler), textOf(finalizer), mayEndThrow].filter((part) => part !== undefined),
  );
}

test('each try has the ranges of its parts, inner ones too, and those of inner functions are not its own', () => {
  assert.deepEqual(parts('function f() { try { a } catch { try { b } finally { c } } }'), [
    ['{ a }', 'catch { try { b } finally { c } }'],
    ['{ b }', '{ c }', false],
  ]);
  assert.deepEqual(parts('function f() { return () => { try { a } catch (e) {} } }'), []);
});

test('a finally that may jump may forget an exception', () => {
  assert.deepEqual(parts('function f() { for (;;) try { a } finally { if (b) break } }'), [['{ a }', '{ if (b) break }', true]]);
  assert.deepEqual(parts('function f() { try { a } finally { g(() => { return 1 }) } }'), [
    ['{ a }', '{ g(() => { return 1 }) }', false],
  ]);
});

test('what cannot be read has none', () => {
  assert.equal(parts('function f( { }'), undefined);
});
