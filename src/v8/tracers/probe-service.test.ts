import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CommandName } from '../../ftrace/commands/command-table.js';
import { ProbeCounts } from '../../ftrace/commands/probe-counts.js';
import { IGNORED } from './entry.js';
import type { ProbeActionNeeds } from './probe-actions.js';
import { createProbeService } from './probe-service.js';

/** Probes whose doings are noted; tracing and events are on at first. */
function noted() {
  const done: string[] = [];
  const off = new Set<number>();
  const offEvents = new Set<number>();
  const switched = (set: Set<number>, name: string, n: number, on: boolean): void => {
    done.push(`${name}${n} ${on ? 'on' : 'off'}`);
    if (on) set.delete(n);
    else set.add(n);
  };
  const effects: ProbeActionNeeds = {
    tracingIsOn: (instance) => !off.has(instance),
    setTracing: (instance, on) => switched(off, 'tracing', instance, on),
    snapshot: (instance) => done.push(`snapshot${instance}`),
    stack: (instance) => done.push(`stack${instance}`),
    dump: (ownCpuOnly) => done.push(ownCpuOnly ? 'cpudump' : 'dump'),
    eventIsOn: (event) => !offEvents.has(event),
    setEvent: (event, on) => switched(offEvents, 'event', event, on),
  };
  const service = createProbeService(effects);
  let last = 0;
  return {
    off,
    service,
    call: (n: number): string[] => {
      assert.equal(service.entry(n, 0, undefined, []), IGNORED);
      return done.splice(0);
    },
    /** Gives functions a probe, and returns its counts and id. */
    add(command: CommandName, functions: readonly number[], count?: bigint, instance = 0, event?: number) {
      const counts = count === undefined ? undefined : new ProbeCounts(functions.length, count);
      const probe = ++last;
      const group = {
        functions: Uint32Array.from(functions),
        ...(counts && { counts: counts.words, places: Uint32Array.from(functions, (_, i) => i) }),
        ...(event !== undefined && { event }),
      };
      service.configure({ type: 'add', probe, instance, command, group });
      return { probe, left: () => functions.map((_, i) => Number(counts!.left(i))) };
    },
  };
}

test('traceoff and traceon switch their instance; a time counts only when they did', () => {
  const { call, add, off } = noted();
  const { left } = add('traceoff', [1], 2n, 3);
  assert.deepEqual(call(1), ['tracing3 off']);
  assert.deepEqual([call(1), left()], [[], [1]]);
  off.delete(3);
  assert.deepEqual([call(1), left()], [['tracing3 off'], [0]]);
  off.delete(3);
  assert.deepEqual([call(1), left()], [[], [0]]);
  add('traceon', [2], undefined, 3);
  off.add(3);
  assert.deepEqual([call(2), call(2)], [['tracing3 on'], []]);
});

test('each function counts for itself, and the newest probe fires first', () => {
  const { call, add } = noted();
  const { left } = add('snapshot', [1, 2], 1n);
  add('stacktrace', [1]);
  assert.deepEqual([call(1), call(1), call(2), left()], [['stack0', 'snapshot0'], ['stack0'], ['snapshot0'], [0, 0]]);
});

test('a count of -1 never runs out for stack traces and events, and is none for the others', () => {
  const { call, add, off } = noted();
  add('stacktrace', [1], -1n);
  add('traceoff', [2], -1n);
  add('snapshot', [3], -1n);
  assert.deepEqual([call(1), call(1), call(2), call(3)], [['stack0'], ['stack0'], [], []]);
  off.add(0);
  assert.deepEqual(call(1), []);
});

test('dump fires once for each function, cpudump always', () => {
  const { call, add } = noted();
  add('dump', [1], 1n);
  add('cpudump', [2]);
  assert.deepEqual([call(1), call(1), call(2), call(2)], [['dump'], [], ['cpudump'], ['cpudump']]);
});

test('events are switched; with a count only when they were the other way', () => {
  const { call, add } = noted();
  add('disable_event', [1], undefined, 0, 7);
  const { left } = add('enable_event', [2], 1n, 0, 7);
  assert.deepEqual([call(1), call(2), call(2), left()], [['event7 off'], ['event7 on'], [], [0]]);
});

test('a removed probe does not fire any more', () => {
  const { call, add, service } = noted();
  const { probe } = add('stacktrace', [1, 2]);
  add('snapshot', [1]);
  service.configure({ type: 'remove', probe, functions: Uint32Array.of(1) });
  assert.deepEqual([call(1), call(2)], [['snapshot0'], ['stack0']]);
  service.configure(undefined);
  assert.deepEqual([call(1), call(2), call(9)], [[], [], []]);
});
