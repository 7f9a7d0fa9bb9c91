import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TraceError } from '../../base/errno.js';
import type { FoundStatement, KprobeBreakpoint, KprobePlanner, NextPlace } from './kprobe-planner.js';
import { KprobeRegistry } from './kprobe-registry.js';
import { NO_EXIT, type ProbeOps } from './probe-ops.js';

/** A thread with one function, whose sites and breakpoint the test hits by hand. */
function thread(refused?: TraceError, statement?: FoundStatement, next?: readonly NextPlace[]) {
  const told: string[] = [];
  const served = new Map<number, ProbeOps>();
  let breakpoint: KprobeBreakpoint | undefined;
  const breakpoints = new Map<number, KprobeBreakpoint>();
  let began: (index: number, values: readonly unknown[]) => void = () => {};
  const planner: KprobePlanner = {
    place: async ({ offset }) => ({
      n: 7,
      address: 0x1000,
      kind: 0,
      offset,
      ...(statement && { statement }),
      ...(next && { next }),
    }),
    setState: (_id, state) => void told.push(state),
    addProbe: (id, ops) => void served.set(id, ops),
    removeSubscriber: (id) => void served.delete(id),
    async subscribe({ functions = [], filter }) {
      if (refused !== undefined) throw refused;
      told.push(`patch ${[...functions, ...filter]}`);
    },
    unsubscribe: async () => void told.push('unpatch'),
    breakpoint(request) {
      breakpoint = request;
      breakpoints.set(request.offset, request);
      told.push(`break ${request.variables}`);
      return () => {
        breakpoint = undefined;
        breakpoints.delete(request.offset);
        told.push('no break');
      };
    },
    statements(n, heard) {
      began = heard;
      told.push(`statements of ${n}`);
      return () => void told.push('no statements');
    },
    settlings: () => ({ began: () => 1, ended() {}, end() {} }),
    inCallback(run) {
      run();
      return true;
    },
    addressOf: (n) => n,
    failed: (error) => void told.push(String(error)),
  };
  const registry = new KprobeRegistry(planner);
  const enter = (...args: unknown[]): unknown[] => [...served.values()].map((ops) => ops.entry(7, undefined, args));
  const begin = (index: number, ...values: unknown[]): void => began(index, values);
  const reach = (offset: number, ...values: unknown[]): void => breakpoints.get(offset)?.hit(values.map((value) => () => value));
  return { registry, told, served, enter, begin, breakpoint: () => breakpoint!, breakpoints, reach };
}

test('a function is patched for its first enabled probe, and unpatched after the last', async () => {
  const { registry, told } = thread();
  const one = await registry.registerKprobe({ symbol: 'sum', disabled: true });
  assert.deepEqual(told, []);
  const two = await registry.registerKretprobe({ symbol: 'sum', handler() {} });
  await one.enable();
  await two.unregister();
  await one.disable();
  assert.deepEqual(told, ['patch 7', 'enabled', 'gone', 'disabled', 'unpatch']);
});

test('changes that are asked for at once are made one after the other', async () => {
  const { registry, told, served } = thread();
  const one = await registry.registerKprobe({ symbol: 'sum' });
  await Promise.all([one.disable(), one.enable(), one.disable(), one.enable()]);
  assert.equal(served.size, 1);
  assert.equal(told.filter((line) => line === 'patch 7').length, told.filter((line) => line === 'unpatch').length + 1);
});

test('a probe whose function cannot be patched is gone', async () => {
  const { registry, told, served } = thread(new TraceError('ENOSPC'));
  await assert.rejects(registry.registerKprobe({ symbol: 'sum' }), { errno: 'ENOSPC' });
  assert.deepEqual(told, ['gone']);
  assert.equal(served.size, 0);
});

test('the end of a call is told only if some probe wants it', async () => {
  const { registry, enter } = thread();
  await registry.registerKprobe({ symbol: 'sum' });
  assert.deepEqual(enter(), [NO_EXIT]);
  await registry.registerKretprobe({
    symbol: 'sum',
    entryHandler: ({ data }, { arguments: [skip] }) => skip ?? data,
    handler() {},
  });
  assert.deepEqual(enter(true), [NO_EXIT]);
  assert.notDeepEqual(enter(false), [NO_EXIT]);
});

test('probes in the middle share a breakpoint, which is set again for another name', async () => {
  const { registry, told, breakpoint } = thread();
  const one = await registry.registerKprobe({ symbol: 'sum', offset: 4, variables: ['a'] });
  const two = await registry.registerKprobe({ symbol: 'sum', offset: 4, variables: ['b'] });
  await registry.registerKprobe({ symbol: 'sum', offset: 4, variables: ['a'] });
  assert.deepEqual(told, ['break this,a', 'no break', 'break this,b,a']);
  breakpoint().ended('has too many hits');
  assert.deepEqual([one.isGone, two.isGone, one.missed], [true, true, 1]);
});

test('halted probes have no breakpoint until they go on', async () => {
  const { registry, told } = thread();
  await registry.registerKprobe({ symbol: 'sum', offset: 4 });
  registry.halt(true);
  await registry.registerKprobe({ symbol: 'sum', offset: 8 });
  registry.halt(false);
  assert.deepEqual(told, ['break this', 'no break', 'break this', 'break this']);
});

/** The second of three statements; the third is in a finally. */
const STATEMENT: FoundStatement = { index: 1, names: [['a'], ['a', 'b'], []], next: ['done', 'done', 'unknown'] };

test('at a statement the post handler is called when the next one begins, or when the call returns', async () => {
  const { registry, told, served, begin } = thread(undefined, STATEMENT);
  const heard: string[] = [];
  await registry.registerKprobe({
    symbol: 'sum',
    offset: 4,
    variables: ['b', 'a'],
    preHandler: (_probe, { variables }) => void heard.push(`pre ${JSON.stringify(variables)}`),
    postHandler: (_probe, { variables, returnValue }) => void heard.push(`post ${JSON.stringify(variables)} ${returnValue}`),
  });
  assert.deepEqual(told, ['patch 7', 'statements of 7']);
  const [frames] = served.values();
  const enter = (): unknown => frames!.entry(7, undefined, []);
  const took = (): readonly string[] => heard.splice(0);
  const outer = enter();
  begin(0, 1);
  begin(1, 1, 2);
  const inner = enter();
  begin(1, 10, 20);
  begin(2);
  frames!.exit(7, inner, undefined, true);
  assert.deepEqual(took(), ['pre {"b":2,"a":1}', 'pre {"b":20,"a":10}']);
  begin(1, 1, 3);
  assert.deepEqual(took(), ['post {"b":3,"a":1} undefined', 'pre {"b":3,"a":1}']);
  frames!.suspended?.(outer);
  begin(0, 1);
  frames!.resumed?.(outer);
  begin(2);
  frames!.exit(7, outer, 'end', false);
  assert.deepEqual(took(), ['post {} end']);
});

test('at a statement without post handlers the calls of the function are not followed', async () => {
  const { registry, told } = thread(undefined, { ...STATEMENT, next: [] });
  const one = await registry.registerKprobe({ symbol: 'sum', offset: 4, preHandler() {} });
  await one.unregister();
  assert.deepEqual(told, ['statements of 7', 'gone', 'no statements']);
});

test('at a breakpoint the post handler is called where V8 stops next in the same call', async () => {
  const { registry, served, reach, breakpoints } = thread(undefined, undefined, [
    { offset: 4, outcome: 'done' },
    { offset: 8, outcome: 'done' },
    { offset: 12, outcome: 'threw', isCatch: true },
  ]);
  const heard: string[] = [];
  const probe = await registry.registerKprobe({
    ...{ symbol: 'sum', offset: 4, variables: ['a'] },
    preHandler: (_probe, { variables: { a } }) => void heard.push(`pre ${a}`),
    postHandler: (_probe, { variables: { a }, returnValue }) => void heard.push(`post ${a} ${returnValue}`),
  });
  assert.deepEqual([...breakpoints.keys()], [8, 12, 4]);
  const [frames] = served.values();
  const enter = (): unknown => frames!.entry(7, undefined, []);
  const took = (): readonly string[] => heard.splice(0);
  reach(4, 'this', 0);
  reach(8, 'this', 0);
  assert.deepEqual(took(), ['pre 0'], 'a call that began before');
  const outer = enter();
  reach(4, 'this', 1);
  const inner = enter();
  reach(4, 'this', 10);
  reach(12, 'this', 10);
  frames!.exit(7, inner, 5, false);
  assert.deepEqual(took(), ['pre 1', 'pre 10']);
  reach(4, 'this', 2);
  reach(8, 'this', 3);
  assert.deepEqual(took(), ['post 2 undefined', 'pre 2', 'post 3 undefined']);
  for (let i = 0; i < 4; i++) reach(8, 'this', 3);
  assert.deepEqual([...breakpoints.keys()], [4], 'hit for nothing too often');
  reach(4, 'this', 4);
  assert.deepEqual([...breakpoints.keys()], [4, 8, 12]);
  frames!.exit(7, outer, 6, false);
  assert.deepEqual(took(), ['pre 4', 'post undefined 6']);
  await probe.disable();
  assert.deepEqual([breakpoints.size, served.size], [0, 0]);
  await probe.enable();
  assert.equal(breakpoints.size, 3);
  breakpoints.get(8)!.ended('has too many hits');
  assert.equal(probe.isGone, true);
});

test('a list of variables is a list of names', async () => {
  const { registry } = thread();
  for (const variables of ['a', [1], { length: 1 }]) {
    await assert.rejects(registry.registerKprobe({ symbol: 'sum', offset: 4, variables: variables as never }), {
      errno: 'EINVAL',
      message: 'variables is a list of names',
    });
  }
});
