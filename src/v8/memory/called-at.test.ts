import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calledAt, endOf } from './called-at.js';

const all = (text: string): readonly [number, number] => [0, text.length];

test('the place where a text calls a function is the only one that names it as called', () => {
  const text = '(a) => {\n  // run(1)\n  const s = "run(2)";\n  return this.run?.(a) + prerun(1) + run;\n}';
  const at = calledAt(text, all(text), 'Job.run')!;
  assert.equal(text.slice(at, at + 6), 'run?.(');
  assert.deepEqual(endOf(text.slice(0, at)), { line: 4, column: 15 });
  assert.deepEqual(endOf(''), { line: 1, column: 1 });
});

test('what is called twice, or is not named, has no such place', () => {
  for (const text of ['run(1); run(2)', 'const go = run; go()']) assert.equal(calledAt(text, all(text), 'run'), undefined);
  assert.equal(calledAt('a(b)', all('a(b)'), '<anonymous>'), undefined);
  assert.equal(calledAt('run(1)', [1, 6], 'run'), undefined, 'only in the range');
});

test('names with a dollar sign are names', () => {
  assert.equal(calledAt('$run(1) + run(2)', all('$run(1) + run(2)'), '$run'), 0);
  assert.equal(calledAt('$run(1) + run(2)', all('$run(1) + run(2)'), 'run'), 10);
});
