import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whatFollows } from './what-follows.js';

/**
 * The source is one function, with a `|` at each place where V8 can stop and `@` in place of the one that is asked for. Returns
 * the text that follows each next place up to the next place or line end, and `catch` if an exception comes to one.
 */
function next(marked: string): readonly string[] | string | undefined {
  const places: number[] = [];
  let asked = -1;
  let source = '';
  for (const character of marked) {
    if (character === '@') asked = source.length;
    if (character === '@' || character === '|') places.push(source.length);
    else source += character;
  }
  const found = whatFollows(source, { start: 0, end: source.length }, asked, places);
  if (found === undefined || typeof found === 'string') return found;
  const texts = found.next.map((offset) => /^\w+/.exec(source.slice(offset))?.[0] ?? '?');
  return found.caught === undefined ? texts : [...texts, 'catch'];
}

test('the next statement of a list, of what is around it, or none at the end', () => {
  assert.deepEqual(next('function f() { @a(|c()); |b(); |d(); }'), ['b']);
  assert.deepEqual(next('function f() { |a(@c()); |b(); |d(); }'), ['b']);
  assert.deepEqual(next('function f() { { @a(); } ; function g() {} |b(); }'), ['b']);
  assert.deepEqual(next('function f() { @a(); let x; |b(); }'), ['b']);
  assert.deepEqual(next('function f() { @a(); |}'), []);
  assert.deepEqual(next('const f = (x) => @a(x)'.slice(10)), []);
  assert.deepEqual(next('function f() { @return a(); }'), []);
});

test('the branches of an if and of a switch, and what comes behind them', () => {
  assert.deepEqual(next('function f() { if (@x) |a(); |b(); }'), ['a', 'b']);
  assert.deepEqual(next('function f() { if (@x) |a(); else { |c(); } |b(); }'), ['a', 'c']);
  assert.deepEqual(next('function f() { if (|x) @a(); else |c(); |b(); }'), ['b']);
  assert.deepEqual(next('function f() { switch (@x) { case 1: |a(); case 2: |c(); } |b(); }'), ['a', 'c', 'b']);
  assert.deepEqual(next('function f() { switch (|x) { case 1: @a(); case 2: |c(); } |b(); }'), ['c', 'b']);
});

test('a loop goes on with its body, or ends', () => {
  assert.deepEqual(next('function f() { for (const |x of @y) |a(); |b(); }'), ['a', 'b']);
  assert.deepEqual(next('function f() { for (let i = |0; @i < 3; |i++) { |a(); |c(); } |b(); }'), ['a', 'b']);
  assert.deepEqual(next('function f() { while (|x) { |a(); @c(); } |b(); }'), ['a', 'b']);
  assert.deepEqual(next('function f() { @a(); while (|x) { |c(); } |b(); }'), ['c', 'b']);
  assert.deepEqual(next('function f() { @a(); do { |c(); } while (|x); |b(); }'), ['c']);
  assert.deepEqual(next('function f() { do { |c(); } while (@x); |b(); }'), ['c', 'b']);
  assert.deepEqual(next('function f() { for (;;) { |a(); if (|x) @break; |c(); } |b(); }'), ['b']);
  assert.deepEqual(next('function f() { for (;;) { |a(); if (|x) @continue; |c(); } }'), ['a']);
  assert.deepEqual(next('function f() { l: for (;;) { |a(); for (;;) @continue l; } |b(); }'), ['a', 'b']);
  assert.deepEqual(next('function f() { l: { @break l; } |b(); }'), ['b']);
});

test('an exception comes to the innermost catch, and finalizers are shown with what comes behind them', () => {
  assert.deepEqual(next('function f() { try { @a(); } catch { } |b(); }'), ['b', 'catch']);
  assert.deepEqual(next('function f() { try { |a(); } catch { @c(); } |b(); }'), ['b']);
  assert.deepEqual(next('function f() { try { try { @a(); } finally { |c(); } } catch { |e(); } |b(); }'), ['c', 'b', 'catch']);
  assert.deepEqual(next('function f() { try { @return a(); } finally { |c(); } |b(); }'), ['c']);
  assert.deepEqual(next('function f() { @a(); try { while (|x) ; |c(); } catch { |e(); } }'), ['c', 'e']);
});

test('what has no end that could be heard is refused', () => {
  assert.match(next('function f(x = @g()) { }') as string, /^is in the parameters/);
  assert.match(next('function f() { |new (class { x = @g() }); }') as string, /^is in a class/);
  assert.match(next('function f() { |return 1;@ }') as string, /^is behind the site/);
  assert.match(next('function f() { if (|x) { |return 1;@ } |b(); }') as string, /^is behind the site/);
  assert.match(next('async function* f() { @return; }') as string, /^is behind the site/);
  assert.match(next('async function f() { for await (const @x of |y) |a(); }') as string, /^is reached while/);
  assert.match(next('async function f() { for await (const |x of |y) { @break; } }') as string, /^is reached while/);
  assert.equal(next('function f( { @a'), undefined);
});
