import assert from 'node:assert/strict';
import { test } from 'node:test';
import { power } from './power.js';
import { hear } from './testing/heard-events.js';

test('the event loop sleeps until a timer is due', async () => {
  const { heard, stop } = hear(power, ['cpu_idle']);
  // On a busy machine a timer may be due before the loop can sleep.
  while (heard.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  stop();
  const [asleep, awake] = heard;
  assert.deepEqual([asleep!.text, awake!.text], ['state=1 cpu_id=0', 'state=4294967295 cpu_id=0']);
  assert.ok(awake!.at > asleep!.at);
});
