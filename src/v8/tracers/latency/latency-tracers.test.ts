import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FTRACE_EVENTS, TRACE_FLAG } from '../../../events/ftrace-events.js';
import { type LatencyRecord, MaxLatency, recordOfNumbers } from '../../../ftrace/tracers/latency/max-latency.js';
import type { LatencyTracerName } from '../../../ftrace/tracers/tracers.js';
import {
  createRingBuffer,
  createSnapshotMemory,
  DEFAULT_SUBBUF_BYTES,
  loadSnapshot,
  loadSnapshots,
  RingBufferWriter,
} from '../../../ring-buffer/index.js';
import { textAddress } from '../../text-region.js';
import { addressOf } from '../testing/address-of.js';
import { end, entry, run } from '../testing/hand-sites.js';
import { createTraced, TEST_PID, type Traced } from '../testing/traced.js';
import type { LatencyNeeds } from './latency-tracer.js';
import type { TurnListener } from './turns.js';
import type { Wakeup } from './wakeups.js';

const PLACES: Readonly<Record<string, number>> = { Timeout: 0x70000010, PROMISE: 0x70000020 };

/** An event loop that does what the test says, at the time that it says. */
class ScriptedLoop implements LatencyNeeds {
  readonly cpu = 3;
  readonly named: string[] = [];
  turn: TurnListener | undefined;
  ran: ((wakeup: Wakeup) => void) | undefined;
  discarded = 0;
  now = 1_000_000;
  readonly turns = {
    start: (listener: TurnListener): void => {
      this.turn = listener;
    },
    stop: (): void => {
      this.turn = undefined;
    },
    discard: (): void => {
      this.discarded++;
    },
  };
  callback: TurnListener | undefined;
  readonly callbacks = {
    start: (listener: TurnListener): void => {
      this.callback = listener;
    },
    stop(): void {},
    discard(): void {},
  };
  readonly wakeups = {
    start: (ran: (wakeup: Wakeup) => void): void => {
      this.ran = ran;
    },
    stop: (): void => {
      this.ran = undefined;
    },
  };
  addressOf = (name: string): number => PLACES[name]!;
  nameTask = (pid: number, comm: string): void => void this.named.push(`${pid} ${comm}`);
}

/** Function 0, `f`, under a latency tracer, and what it kept. */
class Bench {
  readonly loop = new ScriptedLoop();
  readonly max = new MaxLatency();
  readonly traced: Traced;
  readonly f = run<() => void>(`function f() { ${entry(0)} ${end} } return f;`);
  readonly #trace = createSnapshotMemory(400, DEFAULT_SUBBUF_BYTES);

  constructor(tracer: LatencyTracerName, displayGraph = false) {
    this.traced = createTraced(['f'], { latency: this.loop, clock: () => this.loop.now });
    this.traced.runtime.setWriter(new RingBufferWriter(createRingBuffer(1 << 16)));
    this.traced.start({ tracer, displayGraph, latency: { measurement: 1, max: this.max.memory, trace: this.#trace } });
  }

  /** What was kept last. */
  get record(): LatencyRecord | undefined {
    const last = loadSnapshots(this.#trace).at(-1);
    return last && recordOfNumbers(last.label);
  }

  /** Calls f at a time. */
  call(now: number): void {
    this.loop.now = now;
    this.f();
  }

  /** The depths of preemption in the kept records. */
  preemptCounts(): Set<number> {
    const snapshot = loadSnapshot(this.#trace);
    const counts = new Set<number>();
    while (snapshot?.next()) counts.add(snapshot.words[snapshot.payload >> 2]! >>> 24);
    return counts;
  }

  /** The kept records from a time on: type, flags, time, and the first field. */
  kept(since: number): (readonly [type: number, flags: number, ts: number, ip: number])[] {
    const snapshot = loadSnapshot(this.#trace);
    const records: (readonly [number, number, number, number])[] = [];
    while (snapshot?.next()) {
      const at = snapshot.payload >> 2;
      const { words } = snapshot;
      if (snapshot.ts >= since) records.push([words[at]! & 0xffff, (words[at]! >>> 16) & 0xff, snapshot.ts, words[at + 2]!]);
    }
    return records;
  }
}

const D = TRACE_FLAG.IRQS_OFF;
const S = D | TRACE_FLAG.SOFTIRQ;
const CALL = FTRACE_EVENTS.function.id;
const STACK = FTRACE_EVENTS.kernel_stack.id;

describe('irqsoff', () => {
  it('keeps the longest turn, from what began it to what ended it', () => {
    const bench = new Bench('irqsoff');
    const { turn } = bench.loop;
    turn!.began('Timeout', 'softirq', 2_000_000);
    bench.call(2_000_500);
    turn!.continued('PROMISE', 'softirq', 2_001_000);
    bench.call(2_002_000);
    turn!.ended(2_005_000);
    assert.deepEqual(bench.record, {
      latency: 5000,
      start: 2_000_000,
      cpu: 3,
      pid: TEST_PID,
      prio: 120,
      waker: 0,
      startedAt: textAddress(PLACES['Timeout']!),
      endedAt: textAddress(PLACES['PROMISE']!),
    });
    assert.deepEqual(bench.kept(2_000_000), [
      [CALL, S, 2_000_000, PLACES['Timeout']!],
      [CALL, S, 2_000_500, addressOf(0)],
      [CALL, S, 2_002_000, addressOf(0)],
      [CALL, S, 2_005_000, PLACES['PROMISE']!],
      [STACK, S, 2_005_000, 1],
    ]);
  });

  it('keeps it while shorter turns follow', () => {
    const bench = new Bench('irqsoff');
    const { turn } = bench.loop;
    turn!.began('Timeout', 'softirq', 2_000_000);
    turn!.ended(2_005_000);
    assert.equal(turn!.matters(5000), false);
    turn!.began('Timeout', 'softirq', 3_000_000);
    turn!.ended(3_004_000);
    assert.equal(bench.record!.start, 2_000_000);
  });

  it('records no function between turns, and none of a turn that is fentry’s own', () => {
    const bench = new Bench('irqsoff');
    bench.call(1_500_000);
    const { turn } = bench.loop;
    turn!.began('Timeout', 'softirq', 2_000_000);
    bench.traced.runtime.discardLatency();
    bench.call(2_000_500);
    assert.equal(bench.loop.discarded, 1);
    turn!.began('Timeout', 'softirq', 3_000_000);
    turn!.ended(3_001_000);
    assert.deepEqual(
      bench.kept(0).map(([, , ts]) => ts),
      [2_000_000, 3_000_000, 3_001_000, 3_001_000],
    );
  });

  it('as a graph has calls in the place of events', () => {
    const bench = new Bench('irqsoff', true);
    const { turn } = bench.loop;
    turn!.began('Timeout', 'softirq', 2_000_000);
    bench.call(2_000_500);
    turn!.ended(2_005_000);
    const { funcgraph_entry: enter, funcgraph_exit: leave } = FTRACE_EVENTS;
    assert.deepEqual(
      bench.kept(2_000_000).map(([type]) => type),
      [enter.id, leave.id, enter.id, leave.id, enter.id, leave.id, STACK],
    );
  });

  it('preemptoff does the same with callbacks, and its records say that preemption is off', () => {
    const bench = new Bench('preemptoff');
    assert.equal(bench.loop.turn, undefined);
    const { callback } = bench.loop;
    callback!.began('PROMISE', 'softirq', 2_000_000);
    bench.call(2_000_500);
    callback!.ended(2_005_000);
    assert.equal(bench.record!.latency, 5000);
    assert.deepEqual([...bench.preemptCounts()], [1]);
  });

  it('preemptirqsoff measures turns, which callbacks are part of', () => {
    const bench = new Bench('preemptirqsoff');
    assert.equal(bench.loop.callback, undefined);
    bench.loop.turn!.began('Timeout', 'softirq', 2_000_000);
    bench.loop.turn!.ended(2_005_000);
    assert.equal(bench.record!.latency, 5000);
  });

  it('stops with its tracer', () => {
    const bench = new Bench('irqsoff');
    bench.traced.stop();
    assert.equal(bench.loop.turn, undefined);
  });
});

describe('wakeup', () => {
  const timer: Wakeup = { kind: 'Timeout', class: 'dl', id: 77, ready: 2_000_000, now: 2_009_000 };

  it('keeps the longest wait, with what ran during it, and names the task that waited', () => {
    const bench = new Bench('wakeup');
    bench.call(2_001_000);
    bench.loop.ran!(timer);
    assert.deepEqual(bench.record, {
      latency: 9000,
      start: 2_000_000,
      cpu: 3,
      pid: 77,
      prio: 255,
      waker: 0,
      startedAt: 0,
      endedAt: 0,
    });
    assert.deepEqual(bench.kept(2_000_000), [
      [CALL, D, 2_001_000, addressOf(0)],
      [CALL, D, 2_009_000, PLACES['Timeout']!],
      [FTRACE_EVENTS.context_switch.id, D, 2_009_000, TEST_PID],
    ]);
    assert.deepEqual(bench.loop.named, ['77 Timeout']);
  });

  it('wakeup_rt leaves out tasks without priority, wakeup_dl also those without a deadline', () => {
    const rt = new Bench('wakeup_rt');
    rt.loop.ran!({ ...timer, class: 'normal' });
    assert.equal(rt.record, undefined);
    rt.loop.ran!({ ...timer, kind: 'PROMISE', class: 'rt' });
    assert.equal(rt.record!.prio, 0);
    const dl = new Bench('wakeup_dl');
    dl.loop.ran!({ ...timer, kind: 'PROMISE', class: 'rt' });
    assert.equal(dl.record, undefined);
  });

  it('a wait for fentry itself does not count', () => {
    const bench = new Bench('wakeup');
    bench.loop.now = 2_004_000;
    bench.traced.runtime.discardLatency();
    bench.loop.ran!(timer);
    assert.equal(bench.record, undefined);
    bench.loop.ran!({ ...timer, ready: 2_005_000 });
    assert.equal(bench.record!.latency, 4000);
  });
});
