import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TraceError } from '../base/errno.js';
import type { KprobeBreakpoint, KprobePlanner } from './kprobe-planner.js';
import { KprobeRegistry } from './kprobe-registry.js';
import { NO_EXIT, type ProbeOps } from './probe-ops.js';

/** A thread with one function, whose sites and breakpoint the test hits by hand. */
function thread(refused?: TraceError) {
  const told: string[] = [];
  const served = new Map<number, ProbeOps>();
  let breakpoint: KprobeBreakpoint | undefined;
  const planner: KprobePlanner = {
    place: async ({ offset }) => ({ n: 7, address: 0x1000, kind: 0, offset }),
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
      told.push(`break ${request.variables}`);
      return () => {
        breakpoint = undefined;
        told.push('no break');
      };
    },
    addressOf: (n) => n,
    failed: (error) => void told.push(String(error)),
  };
  const registry = new KprobeRegistry(planner);
  const enter = (...args: unknown[]): unknown[] => [...served.values()].map((ops) => ops.entry(7, undefined, args));
  return { registry, told, served, enter, breakpoint: () => breakpoint! };
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
