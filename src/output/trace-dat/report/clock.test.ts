import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TimeColumn } from './clock.js';

function shown(clock: string, time: number): string {
  const column = new TimeColumn(clock, 0n, 0n, false);
  const out = new Uint8Array(64);
  return Buffer.from(out.subarray(0, column.put(out, 0, time))).toString();
}

test('times are shown as trace-cmd shows them: seconds, also when there is none yet, or the bare number of a counting clock', () => {
  assert.equal(shown('mono', 17_998_398_771_699), ' 17998.398772');
  assert.equal(shown('uptime', 1_809_000), '     0.001809');
  assert.equal(shown('counter', 5), '           5');
  assert.equal(shown('boot', 18_088_886_070_519), '18088886070519');
});
