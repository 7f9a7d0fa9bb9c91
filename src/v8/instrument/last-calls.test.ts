import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastCallsBefore } from './last-calls.js';

/** The calls before the place of `mark`, which the source calls once, as `name line`. */
function found(source: string): readonly string[] {
  const lines = source.split('\n');
  const line = lines.findIndex((one) => /\bmark\(/.test(one) && !/function mark/.test(one));
  const calls = lastCallsBefore(source, { line: line + 1, column: lines[line]!.search(/\bmark\(/) + 1 }, 'mark');
  return calls.map(
    ({ name, place, from }) => `${name} ${place.line}:${place.column}${from ? ` from ${from.line}:${from.column}` : ''}`,
  );
}

test('the last act of a function that a function called before', () => {
  const parses = 'function parses(t) {\n  check(t);\n  return JSON.parse(t);\n}\n';
  assert.deepEqual(found(`${parses}function f(t) {\n  const x = parses(t);\n  return mark(x);\n}`), [
    'parses 6:13 from 1:1',
    'JSON.parse 3:15',
  ]);
  assert.deepEqual(
    found(`${parses}function f(t) {\n  for (const one of t) {\n    const x = parses(one);\n    mark(x);\n  }\n}`),
    ['parses 7:15 from 1:1', 'JSON.parse 3:15'],
  );
  assert.deepEqual(found('function f(t) {\n  for (;;) {\n    mark();\n    b();\n  }\n}'), ['b 4:5']);
  assert.deepEqual(found('function f(t) {\n  mark(JSON.parse(t));\n}'), ['JSON.parse 2:13']);
  assert.deepEqual(found('class A {\n  load(t) { this.r = JSON.parse(t); }\n  g(t) { this.load(t); mark(); }\n}'), [
    'load 3:15 from 2:7',
    'JSON.parse 2:27',
  ]);
});

test('what is called elsewhere has the words of the call', () => {
  assert.deepEqual(found('import { load } from "./a.js";\nexport const f = (t) => {\n  load(t);\n  mark();\n};'), ['load 3:3']);
  assert.deepEqual(found('function f(rows) {\n  rows.sort();\n  mark();\n}'), ['rows.sort 2:8']);
  assert.deepEqual(found('function f(parse, t) {\n  parse(t);\n  mark();\n}\nfunction parse(t) { JSON.parse(t); }'), [
    'parse 2:3',
  ]);
});

test('of several ways none is chosen', () => {
  assert.deepEqual(found('function f(t) {\n  if (t) JSON.parse(t);\n  else JSON.stringify(t);\n  mark();\n}'), []);
  assert.deepEqual(found('function f(t) {\n  a();\n  if (t) b();\n  mark();\n}'), []);
  assert.deepEqual(found('async function f(t) {\n  await a();\n  mark();\n}'), []);
  assert.deepEqual(found('function f(t) {\n  mark();\n}'), []);
  assert.deepEqual(found('function g(t) { if (t) return JSON.parse(t); return a(t); }\nfunction f(t) {\n  g(t);\n  mark();\n}'), [
    'g 3:3 from 1:1',
  ]);
});

test('a source that cannot be read, or has no such place, says nothing', () => {
  assert.deepEqual(lastCallsBefore('function (', { line: 1, column: 1 }, 'f'), []);
  assert.deepEqual(lastCallsBefore('f();', { line: 9, column: 1 }, 'f'), []);
  assert.deepEqual(lastCallsBefore('JSON.parse(t); f();', { line: 1, column: 16 }, 'g'), []);
  assert.equal(lastCallsBefore('JSON.parse(t); f();', { line: 1, column: 16 }, 'f').length, 1);
});
