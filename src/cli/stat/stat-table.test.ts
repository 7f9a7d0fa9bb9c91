import assert from 'node:assert/strict';
import { test } from 'node:test';
import { intervalLines, statTable } from './stat-table.js';

const COUNTS = [
  { name: 'gc:gc', count: 12 },
  { name: 'handle*', count: 1_234_567 },
  { name: 'shop:order if price > 40', count: 0 },
  { name: 'nosuch', count: undefined },
];

test('the table has counts, rates and times', () => {
  assert.equal(
    statTable("'node app.js'", COUNTS, { elapsed: 2.5, cpu: { user: 1.25, system: 0.06 } }),
    `
 Counts of 'node app.js':

                12      gc:gc                                #    4.800 /sec
         1,234,567      handle*                              #  493.827 K/sec
                 0      shop:order if price > 40             #    0.000 /sec
     <not counted>      nosuch

             2.500 seconds time elapsed

              1.25 seconds user
              0.06 seconds sys

`,
  );
});

test('a process that runs already has no CPU time of its own', () => {
  assert.doesNotMatch(statTable('process 4711 (app.js)', COUNTS, { elapsed: 2.5 }), /user|sys$/);
});

test('the lines of an interval begin with the time, and leave out what nothing has the name of', () => {
  assert.equal(
    intervalLines(1.000123456, 0.5, COUNTS),
    `     1.000123456                 12      gc:gc                                #   24.000 /sec
     1.000123456          1,234,567      handle*                              #    2.469 M/sec
     1.000123456                  0      shop:order if price > 40             #    0.000 /sec
`,
  );
});

test('no time has passed', () => {
  assert.match(statTable('x', [{ name: 'gc:gc', count: 3 }], { elapsed: 0 }), /3 {6}gc:gc +# {4}0\.000 \/sec/);
});
