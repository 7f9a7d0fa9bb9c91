import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPS_ID } from '../../ftrace/ops.js';
import { type DiversionChange, FAULT_WORD, type LivepatchNews, type PatchedFunction } from '../../ftrace/tracers/diversions.js';
import { FUNCTION_KIND } from '../js-text.js';
import { addressOf } from './testing/address-of.js';
import { awaits, coEnd, coReturn, entry, ret, run } from './testing/hand-sites.js';
import { createTraced, type Traced } from './testing/traced.js';

const NAMES = ['outer', 'inner', 'slow'];
const { IPMODIFY, TRACER } = OPS_ID;

const program = () =>
  run<{ outer(x: number): number; slow(gate: Promise<unknown>): Promise<string>; caught(): string }>(`
    function inner(x) { ${entry(1, 'x')} ${ret('x + 1')} }
    function outer(x) { ${entry(0, 'x')} ${ret('inner(x) * 10')} }
    async function slow(gate) { ${entry(2, 'gate')} ${awaits('gate')}; ${coReturn("'old ' + inner(1)")} ${coEnd} }
    function caught() { try { return String(outer(1)); } catch (error) { return error.message; } }
    return { outer, slow, caught };`);

const start = (functions: Record<string, (...args: never[]) => unknown>) => {
  const news: LivepatchNews['news'][] = [];
  const traced = createTraced(NAMES, {
    kinds: { slow: FUNCTION_KIND.async },
    diversions: {
      load: async () => ({ functions: new Map(Object.entries(functions)), replacements: [], variables: [] }),
      tell: (_patch, one) => news.push(one.news),
    },
  });
  return { traced, news };
};

const configure = ({ runtime }: Traced, change: DiversionChange): void => runtime.setService('ipmodify', change);
const patched = (n: number, params: string[], repack?: string): PatchedFunction => ({
  n,
  params,
  symbol: NAMES[n]!,
  start: addressOf(n),
  end: addressOf(n) + 1,
  ...(repack !== undefined && { repack }),
});

async function patch(traced: Traced, functions: readonly PatchedFunction[]): Promise<void> {
  configure(traced, { type: 'livepatch', patch: 1, change: 'load', url: 'file:///fix.js' });
  await new Promise(setImmediate);
  configure(traced, { type: 'livepatch', patch: 1, change: 'patch', functions, modules: [] });
}

test('a patch replaces a function for all callers, while others trace it, and is undone', async () => {
  const { traced, news } = start({ inner: (x: number) => x + 100 });
  const { outer } = program();
  await patch(traced, [patched(1, ['x'])]);
  traced.start({ tracer: 'function_graph' });
  traced.patch([TRACER], [TRACER, IPMODIFY], [TRACER]);
  assert.equal(outer(1), 20, 'not enabled yet');
  configure(traced, { type: 'livepatch', patch: 1, change: 'enable', seq: 1 });
  assert.equal(outer(1), 1010);
  configure(traced, { type: 'livepatch', patch: 1, change: 'disable', seq: 2 });
  assert.equal(outer(1), 20);
  const call = ['outer(', '  inner(', '  )inner', ')outer'];
  assert.deepEqual(traced.lines(), [...call, ...call, ...call]);
  assert.deepEqual(news, ['loaded', 'over', 'over']);
});

test('a replacement that throws ends its frame, and the caller gets the error', async () => {
  const { traced } = start({
    inner: () => {
      throw new Error('no price');
    },
  });
  const { caught } = program();
  await patch(traced, [patched(1, ['x'])]);
  traced.start({ tracer: 'function_graph' });
  traced.patch([TRACER], [TRACER, IPMODIFY]);
  configure(traced, { type: 'livepatch', patch: 1, change: 'enable', seq: 1 });
  assert.equal(caught(), 'no price');
  assert.deepEqual(traced.lines().slice(0, 3), ['outer(', '  inner(', '  )inner!']);
});

test('what began in the old code goes on in the old code, and the transition waits for it', async () => {
  const { traced, news } = start({ inner: (x: number) => x + 100, slow: async () => 'new' });
  const { slow, outer } = program();
  await patch(traced, [patched(1, ['x']), patched(2, ['gate'])]);
  traced.patch([], [IPMODIFY], [IPMODIFY]);
  let open = (): void => {};
  const old = slow(
    new Promise<void>((resolve) => {
      open = resolve;
    }),
  );
  configure(traced, { type: 'livepatch', patch: 1, change: 'enable', seq: 1 });
  assert.equal(await slow(Promise.resolve()), 'new');
  assert.equal(outer(1), 1010);
  assert.deepEqual(news, ['loaded'], 'an old activation is still waiting');
  open();
  assert.equal(await old, 'old 2', 'it calls the old inner()');
  assert.deepEqual(news, ['loaded', 'over']);
});

test('force ends the transition, whatever waits for ever', async () => {
  const { traced, news } = start({ slow: async () => 'new' });
  const { slow } = program();
  await patch(traced, [patched(2, ['gate'])]);
  traced.patch([], [], [IPMODIFY]);
  void slow(new Promise(() => {}));
  configure(traced, { type: 'livepatch', patch: 1, change: 'enable', seq: 1 });
  assert.deepEqual(news, ['loaded']);
  configure(traced, { type: 'livepatch', patch: 1, change: 'force' });
  assert.deepEqual(news, ['loaded', 'over']);
});

test('undoing waits for what runs in the new code', async () => {
  let open = (): void => {};
  const { traced, news } = start({
    slow: () =>
      new Promise<string>((resolve) => {
        open = () => resolve('new');
      }),
  });
  const { slow } = program();
  await patch(traced, [patched(2, ['gate'])]);
  traced.patch([], [], [IPMODIFY]);
  configure(traced, { type: 'livepatch', patch: 1, change: 'enable', seq: 1 });
  const running = slow(Promise.resolve());
  configure(traced, { type: 'livepatch', patch: 1, change: 'disable', seq: 2 });
  assert.equal(await slow(Promise.resolve()), 'old 2');
  assert.deepEqual(news, ['loaded', 'over']);
  open();
  assert.equal(await running, 'new');
  assert.deepEqual(news, ['loaded', 'over', 'over']);
});

test('a parameter list that is no list of names is filled from its values', async () => {
  const { traced } = start({ inner: ({ a, b = 7 }: { a: number; b?: number }) => a + b });
  const { outer } = program();
  await patch(traced, [patched(1, ['x'], '{a:x,b:5}')]);
  traced.patch([], [IPMODIFY]);
  configure(traced, { type: 'livepatch', patch: 1, change: 'enable', seq: 1 });
  assert.equal(outer(1), 60);
});

/** probability 100, interval 1, times -1 */
const always = (): SharedArrayBuffer => {
  const words = new Int32Array(new SharedArrayBuffer(32));
  words[FAULT_WORD.PROBABILITY] = 100;
  words[FAULT_WORD.INTERVAL] = 1;
  words[FAULT_WORD.TIMES] = -1;
  return words.buffer as SharedArrayBuffer;
};

test('error injection: a value or an error, where a condition holds, as often as it may', async () => {
  const { traced } = start({});
  const { outer, caught, slow } = program();
  const memory = always();
  const words = new Int32Array(memory);
  const fault = (retval: string, condition = ''): void =>
    configure(traced, { type: 'fault', functions: [{ n: 1, params: ['x'] }], memory, retval, condition });
  fault('41', 'x > 1');
  traced.patch([], [IPMODIFY], [IPMODIFY]);
  assert.deepEqual([outer(1), outer(2)], [20, 410]);
  fault('throw new RangeError("too many")');
  assert.equal(caught(), 'too many');
  words[FAULT_WORD.TIMES] = 1;
  words[FAULT_WORD.SPACE] = 1;
  fault('0', 'x.y.z');
  assert.equal(outer(1), 20, 'a condition that throws is false');
  fault('0');
  assert.deepEqual([outer(1), outer(1), outer(1)], [20, 0, 20], 'space, then times');
  words[FAULT_WORD.TIMES] = -1;
  words[FAULT_WORD.INTERVAL] = 2;
  assert.deepEqual([outer(1), outer(1), outer(1), outer(1)], [20, 0, 20, 0]);
  configure(traced, { type: 'no fault', functions: [1] });
  assert.deepEqual([outer(1), outer(1)], [20, 20]);
  configure(traced, {
    type: 'fault',
    functions: [{ n: 2, params: ['gate'] }],
    memory: always(),
    retval: 'throw 5',
    condition: '',
  });
  await assert.rejects(slow(Promise.resolve()), (thrown) => thrown === 5);
});

test('a recursion and the end of all tracing leave no frame', async () => {
  const { traced } = start({ inner: (x: number): number => (x > 3 ? x : outerOf(x + 1)) });
  const { outer } = program();
  const outerOf = (x: number): number => outer(x) / 10;
  await patch(traced, [patched(1, ['x'])]);
  traced.patch([IPMODIFY], [IPMODIFY]);
  configure(traced, { type: 'livepatch', patch: 1, change: 'enable', seq: 1 });
  assert.equal(outer(1), 40);
  traced.patch([], []);
  traced.runtime.setService('ipmodify', undefined);
  assert.equal(outer(1), 20);
});
