import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WholeCalls } from './whole-calls.js';

const LINES = `
 0)   2.503 us    |    half();
 0) + 10.000 us   |  }
 0)               |  whole(a="{") { /* src/a.mjs:1 */
 1)   1.000 us    |  other(); /* src/b.mjs:2 */ /* resumed */
 0)               |    /* timer_start: x */
 0)   2.503 us    |    inner(b="};"); /* src/c.mjs:3 */
 1)               |    late();
 0) # 2456.1 us   |  } /* whole suspended */
 0)               |  /* sched_switch */
`;

test('calls are counted when they are over, and what had begun before is left out', () => {
  const calls = new WholeCalls();
  const shown = LINES.trim()
    .split('\n')
    .filter((line) => calls.shows(line));
  assert.equal(calls.count, 2);
  assert.deepEqual(
    shown.map((line) => line.slice(line.indexOf('|') + 1).trim()),
    [
      'whole(a="{") { /* src/a.mjs:1 */',
      'other(); /* src/b.mjs:2 */ /* resumed */',
      '/* timer_start: x */',
      'inner(b="};"); /* src/c.mjs:3 */',
      '} /* whole suspended */',
    ],
  );
});
