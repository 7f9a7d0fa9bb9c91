import assert from 'node:assert/strict';
import { test } from 'node:test';
import { profileRows, rowsSince, sorted } from './profile-rows.js';

const TEXT = `  Function                               Hit    Time            Avg             s^2
  --------                               ---    ----            ---             ---
  requestId                             2000    2559480 us      1279.740 us     17949671 us 
  setInterval@4.33                       165    8.650 us        52.312 us       0.000 us    
  Cart.totalOfEverythingInTheCar           7    70.000 us       10.000 us       0.000 us    
  Cart.totalOfEverythingInTheCar           3    30.000 us       10.000 us       0.000 us    
`;

test('a file of the profiler is read, functions of one name together', () => {
  assert.deepEqual(profileRows(TEXT), [
    { name: 'requestId', hits: 2000, time: 2559480 },
    { name: 'setInterval@4.33', hits: 165, time: 8.65 },
    { name: 'Cart.totalOfEverythingInTheCar', hits: 10, time: 100 },
  ]);
  assert.deepEqual(profileRows(''), []);
});

test('what was counted since the last reading; all of it when somebody has begun anew', () => {
  const before = [{ name: 'a', hits: 5, time: 50 }];
  const after = [
    { name: 'a', hits: 7, time: 90 },
    { name: 'b', hits: 1, time: 2 },
  ];
  assert.deepEqual(rowsSince(after, before), [
    { name: 'a', hits: 2, time: 40 },
    { name: 'b', hits: 1, time: 2 },
  ]);
  assert.deepEqual(rowsSince([{ name: 'a', hits: 1, time: 3 }], before), [{ name: 'a', hits: 1, time: 3 }]);
});

test('the greatest come first, and what was not called is left out', () => {
  const rows = [
    { name: 'rare', hits: 1, time: 100 },
    { name: 'often', hits: 90, time: 2 },
    { name: 'never', hits: 0, time: 0 },
  ];
  assert.deepEqual(
    sorted(rows, 'time').map(({ name }) => name),
    ['rare', 'often'],
  );
  assert.deepEqual(
    sorted(rows, 'calls').map(({ name }) => name),
    ['often', 'rare'],
  );
});
