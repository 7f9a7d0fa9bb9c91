import assert from 'node:assert/strict';
import { test } from 'node:test';
import { functionNames } from '../../ftrace/function-match.js';
import { ProcessSubscribers } from './process-subscribers.js';

const NAMES = ['read', 'readv', 'write'];
const names = (count: number) =>
  functionNames(
    [...NAMES.keys()].slice(0, count),
    (n) => NAMES[n]!,
    () => '',
  );
const request = (id: number, ...filter: readonly string[]) => ({ id, name: `call${id}`, flags: 0, filter, notrace: [] });
const filters = (subscribers: ProcessSubscribers): unknown =>
  subscribers.ops.map(({ cpu, id, filter }) => [cpu, id, [...filter.functions]]);

test('each is of one thread and one id there, and goes with its thread', () => {
  const subscribers = new ProcessSubscribers();
  subscribers.set({ cpu: 0 }, request(16, 'read'), names(3));
  subscribers.set({ cpu: 1 }, request(16, 'write'), names(3));
  subscribers.set({ cpu: 1 }, request(17, 'write'), names(3));
  subscribers.set({ cpu: 0 }, request(16, 'readv'), names(3));
  subscribers.delete({ cpu: 1 }, 16);
  assert.deepEqual(filters(subscribers), [
    [0, 16, [1]],
    [1, 17, [2]],
  ]);
  subscribers.removeThread({ cpu: 1 });
  assert.deepEqual(filters(subscribers), [[0, 16, [1]]]);
});

test('functions that are linked later go into its filter by its words', () => {
  const subscribers = new ProcessSubscribers();
  subscribers.set({ cpu: 0 }, request(16, 'read*'), names(1));
  subscribers.link(() => names(3), [1, 2]);
  assert.deepEqual(filters(subscribers), [[0, 16, [0, 1]]]);
});

test('a word that matches nothing is refused, and nothing changes', () => {
  const subscribers = new ProcessSubscribers();
  subscribers.set({ cpu: 0 }, request(16, 'read'), names(3));
  assert.throws(() => subscribers.set({ cpu: 0 }, request(16, 'missing'), names(3)), { errno: 'EINVAL' });
  assert.deepEqual(filters(subscribers), [[0, 16, [0]]]);
});
