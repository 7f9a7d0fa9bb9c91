import assert from 'node:assert/strict';
import { createHook, executionAsyncId } from 'node:async_hooks';
import { test } from 'node:test';
import { ContextAges } from './context-ages.js';

const MS = 1e6;
const SECOND = 1000 * MS;

/** Promises as Node marks them. */
async function promisesOf(count: number): Promise<{ readonly promises: readonly object[]; readonly first: number }> {
  const ids: number[] = [];
  const hook = createHook({ init: (id, type) => void (type === 'PROMISE' && ids.push(id)) }).enable();
  const promises = Array.from({ length: count }, () => new Promise(() => {}));
  hook.disable();
  assert.equal(ids.length, count, `of ${executionAsyncId()}`);
  return { promises, first: ids[0]! };
}

test('contexts have the time of the run that made them; older ones have none', async () => {
  const { promises, first } = await promisesOf(6);
  let now = SECOND;
  const ages = new ContextAges(() => now);
  now += 10 * SECOND;
  ages.made(first + 2);
  now += 20 * SECOND;
  ages.mark();
  ages.made(first + 3);
  now += SECOND;
  ages.mark();
  now += SECOND;
  ages.mark();
  ages.made(first + 4);
  ages.made(first + 5);
  now += 2 * SECOND;
  const of = ages.of([{}, ...promises]);
  assert.equal(of.followedMs, 34_000);
  assert.deepEqual(of.ages, [
    [3, 24_000],
    [4, 4000],
    [5, 2000],
    [6, 2000],
  ]);
});

test('however long and often, no context is forgotten or seems much older than it is', async () => {
  const { promises, first } = await promisesOf(400);
  const made: number[] = [];
  let [now, id] = [0, first - 1];
  const ages = new ContextAges(() => now);
  // Of each id only the last 400 are promises: all come after others that nobody asks for.
  for (let i = 0; i < 400; i++) {
    for (let run = 0; run < 50; run++) {
      now += 2 * MS;
      ages.mark();
      ages.made(run === 49 ? ++id : id + 0.5);
    }
    made.push(now);
    now += (i % 40) * 100 * MS;
  }
  const of = ages.of(promises);
  assert.equal(of.ages.length, 400);
  for (const [i, ageMs] of of.ages) {
    const exact = (now - made[i]!) / MS;
    assert.ok(ageMs >= exact && ageMs <= exact * 1.02 + 2, `${i}: ${ageMs} ms, not ${exact}`);
  }
});
