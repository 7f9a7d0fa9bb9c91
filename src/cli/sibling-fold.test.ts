import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SiblingFold } from './sibling-fold.js';

/** A line as `report --trace` prints it: a duration in us or none, and the call, indented. */
const at = (call: string, us?: string, cpu = 0): string =>
  ` ${cpu}) ${us === undefined ? '              ' : `  ${us} us    `}|  ${call}`;

function folded(...lines: readonly string[]): readonly string[] {
  const fold = new SiblingFold();
  return [...lines.flatMap((line) => fold.line(line)), ...fold.end()].map((line) => line.slice(line.indexOf('|  ') + 3));
}

test('of leaves that are alike the first is shown, with the number and the time of the others', () => {
  assert.deepEqual(
    folded(at('main() {'), at('  f(1); /* ret=1 */', '1.000'), at('  f(2);', '2.000'), at('  f(3);', '4.500'), at('}', '9.000')),
    ['main() {', '  f(1); /* ret=1 */', '  ... 2 more like it, 6.500 us', '}'],
  );
});

test('calls with callees are alike when those are, however often each of them was repeated', () => {
  const work = (times: number) => [
    at('work() {'),
    ...Array.from({ length: times }, () => at('  parse();', '0.100')),
    at('  render();', '0.200'),
    at('}', '1.000'),
  ];
  assert.deepEqual(folded(...work(2), ...work(3), ...work(4), at('end();', '0.100')), [
    'work() {',
    '  parse();',
    '  ... 1 more like it, 0.100 us',
    '  render();',
    '}',
    '... 2 more like it, 2.000 us',
    'end();',
  ]);
});

test('another function, outcome, thread, or a line between, is not folded', () => {
  const lines = [
    at('f();', '1.000'),
    at('g();', '1.000'),
    at('f();', '1.000'),
    at('f(); /* unwound */', '1.000'),
    at('f();', '1.000'),
    'CPU:0 [LOST 3 EVENTS]',
    at('f();', '1.000'),
    at('f();', '1.000', 1),
  ];
  assert.equal(folded(...lines).length, lines.length);
});

test('waits, and exits without entries, are shown as they are', () => {
  const lines = [
    at('} /* h */', '1.000'),
    at('a() {'),
    at('  f();', '1.000'),
    at('} /* a suspended */', '1.000'),
    at('a() { /* resumed */'),
    at('  f();', '1.000'),
    at('}', '1.000'),
  ];
  assert.deepEqual(
    folded(...lines),
    lines.map((line) => line.slice(line.indexOf('|  ') + 3)),
  );
});

test('a long call is shown as it comes, and what is repeated inside of it is folded all the same', () => {
  const inside = Array.from({ length: 300 }, (_, i) => at(`  f${i}();`, '1.000'));
  const fold = new SiblingFold();
  const early = [at('main() {'), ...inside].flatMap((line) => fold.line(line));
  assert.ok(early.length > 200);
  const lines = [...early, ...fold.line(at('  f299();', '1.000')), ...fold.line(at('}', '9.000')), ...fold.end()];
  assert.equal(lines.length, 303);
});
