import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FunctionProfile } from '../../ftrace/function-profile.js';
import { OPS_ID } from '../../ftrace/ops.js';
import { type ProfilerConfig, SERVICE_OPS } from '../../ftrace/tracers/services.js';
import { FUNCTION_KIND } from '../js-text.js';
import { awaits, caught, coEnd, coReturn, end, enterTry, entry, ret, run, yields } from './testing/hand-sites.js';
import { createTraced } from './testing/traced.js';

const PROFILER = [SERVICE_OPS.profiler];
const kinds = { handler: FUNCTION_KIND.async, numbers: FUNCTION_KIND.generator };

/** Profiles functions on a clock that stands still unless the program calls `spend(ns)`; counts are told by name. */
function createProfiled(names: readonly string[], options: Partial<ProfilerConfig> = {}) {
  let now = 1000;
  const traced = createTraced(names, { kinds, clock: () => now });
  const profile = FunctionProfile.create(names.length);
  const configure = (change: Partial<ProfilerConfig> = {}): void =>
    traced.runtime.setService('profiler', { memory: profile.memory, sleepTime: true, graphTime: true, ...options, ...change });
  const patch = (ops: readonly number[]): void => traced.patchOnly([...names.keys()], ops);
  configure();
  patch(PROFILER);
  return {
    traced,
    profile,
    configure,
    patch,
    spend: (ns: number): void => {
      now += ns;
    },
    counts: () => Object.fromEntries(profile.rows().map(({ n, hits, time }) => [names[n]!, [hits, time]])),
  };
}

const nested = (spend: (ns: number) => void): void =>
  run<(spend: (ns: number) => void) => void>(`
    function inner(spend) { ${entry(1)} spend(10); ${end} }
    function outer(spend) { ${entry(0)} spend(1); inner(spend); inner(spend); spend(2); ${end} }
    return outer;`)(spend);

test('a function’s time has that of the functions inside it, its hits are its calls', () => {
  const profiled = createProfiled(['outer', 'inner']);
  nested(profiled.spend);
  nested(profiled.spend);
  assert.deepEqual(profiled.counts(), { outer: [2, 46], inner: [4, 40] });
  const inner = profiled.profile.rows().find(({ n }) => n === 1);
  assert.equal(inner?.squares, 4 * 10 * 10);
});

test('without graph-time it has only its own', () => {
  const profiled = createProfiled(['outer', 'inner'], { graphTime: false });
  nested(profiled.spend);
  assert.deepEqual(profiled.counts(), { outer: [1, 3], inner: [2, 20] });
});

test('functions that are not profiled count as the one around them', () => {
  const profiled = createProfiled(['outer', 'inner'], { graphTime: false });
  profiled.traced.patchOnly([1], []);
  nested(profiled.spend);
  assert.deepEqual(profiled.counts(), { outer: [1, 23] });
});

test('a recursive function counts each of its activations', () => {
  const profiled = createProfiled(['down'], { graphTime: false });
  run<(n: number, spend: (ns: number) => void) => void>(`
    function down(n, spend) { ${entry(0)} spend(5); if (n > 0) down(n - 1, spend); ${end} }
    return down;`)(3, profiled.spend);
  assert.deepEqual(profiled.counts(), { down: [4, 20] });
});

test('an exception ends a function when it is caught', () => {
  const profiled = createProfiled(['outer', 'fails']);
  run<(spend: (ns: number) => void) => void>(`
    function fails(spend) { ${entry(1)} spend(7); throw 1; ${end} }
    function outer(spend) { ${entry(0)} try { ${enterTry} fails(spend); } catch { ${caught} spend(100) } ${end} }
    return outer;`)(profiled.spend);
  assert.deepEqual(profiled.counts(), { outer: [1, 107], fails: [1, 7] });
});

const waiting = (spend: (ns: number) => void): Promise<number> =>
  run<(spend: (ns: number) => void, wait: () => Promise<void>) => Promise<number>>(`
    async function handler(spend, wait) { ${entry(0)} spend(1); ${awaits('wait()')}; spend(2); ${coReturn('1')} }
    function main(spend, wait) { ${entry(1)} spend(4); const done = handler(spend, wait); spend(8); ${ret('done')} }
    return main;`)(spend, async () => {
    await undefined;
    spend(1000);
  });

test('an async function is one hit, and the time that it waited is its own', async () => {
  const profiled = createProfiled(['handler', 'main']);
  await waiting(profiled.spend);
  assert.deepEqual(profiled.counts(), { handler: [1, 1011], main: [1, 13] });
});

test('without sleep-time the wait is left out', async () => {
  const profiled = createProfiled(['handler', 'main'], { sleepTime: false });
  await waiting(profiled.spend);
  assert.deepEqual(profiled.counts(), { handler: [1, 3], main: [1, 13] });
});

test('without graph-time a stretch of a coroutine is not the time of its caller', async () => {
  const profiled = createProfiled(['handler', 'main'], { sleepTime: false, graphTime: false });
  await waiting(profiled.spend);
  assert.deepEqual(profiled.counts(), { handler: [1, 3], main: [1, 12] });
});

test('what a coroutine calls before and after it waits is not its own time', () => {
  const profiled = createProfiled(['numbers', 'inner', 'main'], { sleepTime: false, graphTime: false });
  run<(spend: (ns: number) => void) => void>(`
    function inner(spend) { ${entry(1)} spend(10); ${end} }
    function* numbers(spend) { ${entry(0)} inner(spend); spend(1); ${yields('1')}; inner(spend); spend(2); ${coEnd} }
    function main(spend) { ${entry(2)} for (const n of numbers(spend)) spend(100); ${end} }
    return main;`)(profiled.spend);
  assert.deepEqual(profiled.counts(), { main: [1, 100], inner: [2, 20], numbers: [1, 3] });
});

test('what is counted after a move to larger memory is there', () => {
  const profiled = createProfiled(['outer', 'inner']);
  nested(profiled.spend);
  const larger = FunctionProfile.create(profiled.profile.capacity + 1);
  profiled.configure({ memory: larger.memory });
  nested(profiled.spend);
  assert.equal(larger.rows().find(({ n }) => n === 0)?.hits, 1);
  assert.equal(profiled.profile.rows().find(({ n }) => n === 0)?.hits, 1);
});

test('beside the function tracer both see every call', () => {
  const profiled = createProfiled(['outer', 'inner']);
  profiled.traced.start({ tracer: 'function' });
  profiled.patch([OPS_ID.TRACER, SERVICE_OPS.profiler]);
  nested(profiled.spend);
  assert.deepEqual(profiled.counts(), { outer: [1, 23], inner: [2, 20] });
  assert.deepEqual(profiled.traced.lines(), ['outer <-', 'inner <-outer', 'inner <-outer']);
});

test('after its end nothing is counted, also of calls that had begun', () => {
  const profiled = createProfiled(['outer', 'inner']);
  run<(spend: (ns: number) => void, stop: () => void) => void>(`
    function outer(spend, stop) { ${entry(0)} spend(1); stop(); ${end} }
    return outer;`)(profiled.spend, () => {
    profiled.traced.runtime.setService('profiler', undefined);
    profiled.patch([]);
  });
  assert.deepEqual(profiled.counts(), { outer: [1, 0] });
});

test('a coroutine that sleeps through an end and a new beginning is counted by neither', async () => {
  const profiled = createProfiled(['handler', 'other']);
  profiled.traced.start({ tracer: 'function' }, [1]);
  const wake: (() => void)[] = [];
  const done = run<(wait: () => Promise<void>, spend: (ns: number) => void) => Promise<number>>(`
    async function handler(wait, spend) { ${entry(0)} ${awaits('wait()')}; spend(5); ${coReturn('1')} }
    return handler;`)(() => new Promise((resolve) => wake.push(resolve)), profiled.spend);
  profiled.traced.runtime.setService('profiler', undefined);
  profiled.profile.reset();
  profiled.configure();
  wake[0]!();
  await done;
  assert.deepEqual([...profiled.profile.time.subarray(0, 2)], [0, 0]);
});
