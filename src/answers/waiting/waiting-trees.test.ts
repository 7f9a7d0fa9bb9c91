import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CallToMerge, mergedCalls } from './waiting-trees.js';

/** The trees as lines: count, key, and what is said of them; indented by what they wait for. */
function lines(calls: readonly CallToMerge[]): readonly string[] {
  const { merged } = mergedCalls(calls);
  const depth = (at: number): number => {
    const below = merged[at]?.waitsFor;
    return below === undefined ? 0 : depth(below) + 1;
  };
  return merged.map(({ members, repeated, isCircle }, at) => {
    const more = `${repeated > 0 ? ` +${repeated}` : ''}${isCircle ? ' circle' : ''}`;
    return `${'  '.repeat(depth(at))}${members.length} ${calls[members[0]!]?.key}${more}`;
  });
}

const call = (key: string, ...waiters: readonly number[]): CallToMerge => ({ key, waiters });

test('equal chains are one, and branch where what waits differs', () => {
  assert.deepEqual(
    lines([
      call('read'),
      call('acquire', 3),
      call('acquire', 4),
      call('handler'),
      call('job'),
      call('acquire', 6),
      call('handler'),
    ]),
    ['3 acquire', '  2 handler', '  1 job', '1 read'],
  );
});

test('a call that waits for several is counted once', () => {
  assert.deepEqual(lines([call('query', 2), call('query', 2), call('all')]), ['2 query', '  1 all']);
  assert.deepEqual(lines([call('query', 2), call('read', 2), call('all')]), ['1 query', '  1 all', '1 read', '  1 all']);
});

test('a promise that many await has one innermost call', () => {
  const waiters = Array.from({ length: 10_000 }, (_, i) => i + 1);
  assert.deepEqual(lines([call('connect', ...waiters), ...waiters.map(() => call('handler'))]), ['1 connect', '  10000 handler']);
});

test('a call that calls itself is one element however deep', () => {
  const deep = Array.from({ length: 10_000 }, (_, i) => call('walk', i + 2));
  assert.deepEqual(lines([call('read', 1), ...deep, call('main')]), ['1 read', '  1 walk +9999', '    1 main']);
});

test('calls that call each other are not folded, and no stack overflows', () => {
  const deep = Array.from({ length: 10_000 }, (_, i) => call(i % 2 === 0 ? 'even' : 'odd', ...(i < 9999 ? [i + 1] : [])));
  const { merged } = mergedCalls(deep);
  assert.equal(merged.length, 10_000);
  assert.equal(merged.at(-1)?.waitsFor, 9998);
});

test('calls that wait for each other are found, once', () => {
  assert.deepEqual(lines([call('a', 1), call('b', 0)]), ['1 a', '  1 b circle']);
  assert.deepEqual(lines([call('a', 0)]), ['1 a circle']);
  assert.deepEqual(lines([call('a', 1), call('b', 0, 2), call('c')]), ['1 a', '  1 b circle', '    1 c']);
});

test('what has too many different ways is cut', () => {
  // Each of 20 layers has two calls that both wait for both calls below.
  const layers = Array.from({ length: 40 }, (_, i) => call(String(i), ...(i < 38 ? [i - (i % 2) + 2, i - (i % 2) + 3] : [])));
  const { merged, isCut } = mergedCalls(layers);
  assert.equal(isCut, true);
  assert.equal(merged.length, 20_000);
});
