import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FTRACE_EVENTS, TRACE_FLAG } from '../../events/ftrace-events.js';
import { type LatencyInfo, traceHeader } from '../../output/header.js';
import { printed, Recording, viewOf } from '../../output/testing/recording.js';
import { latencyGraphView } from './latency-trace.js';

const counts = { entries: 4, written: 4, isEmpty: false };
const info: LatencyInfo = {
  release: '6.1.192',
  latencyNs: 12_600_400,
  cpu: 0,
  pid: 4711,
  uid: 0,
  critical: { start: 'irqentry_enter', end: 'handle_softirqs' },
};
const latency = { 'latency-format': true };

describe('the header of a latency tracer', () => {
  it('tells how long, whose, from where to where', () => {
    const header = traceHeader(viewOf('irqsoff', latency), counts, info).split('\n');
    assert.deepEqual(header.slice(0, 13), [
      '# tracer: irqsoff',
      '#',
      '# irqsoff latency trace v1.1.5 on 6.1.192',
      '# --------------------------------------------------------------------',
      '# latency: 12600 us, #4/4, CPU#0 | (M:server VP:0, KP:0, SP:0 HP:0 #P:2)',
      '#    -----------------',
      '#    | task: node-4711 (uid:0 nice:0 policy:0 rt_prio:0)',
      '#    -----------------',
      '#  => started at: irqentry_enter',
      '#  => ended at:   handle_softirqs',
      '#',
      '#',
      '#                    _------=> CPU#            ',
    ]);
  });

  it('of a waiting task tells its scheduling, and no places', () => {
    const { critical: _, ...task } = info;
    const header = traceHeader(viewOf('wakeup', latency), counts, { ...task, policy: 1, rtPrio: 99 }).split('\n');
    assert.deepEqual(header.slice(6, 10), [
      '#    | task: node-4711 (uid:0 nice:0 policy:1 rt_prio:99)',
      '#    -----------------',
      '#',
      '#                    _------=> CPU#            ',
    ]);
  });

  it('over a graph has the columns of the latency tracers', () => {
    const view = latencyGraphView(viewOf('irqsoff', latency));
    const header = traceHeader(view, counts, info).split('\n');
    assert.deepEqual(header.slice(12), [
      '#                                       _-----=> irqs-off        ',
      '#                                      / _----=> need-resched    ',
      '#                                     | / _---=> hardirq/softirq ',
      '#                                     || / _--=> preempt-depth   ',
      '#                                     ||| /                      ',
      '#   REL TIME      CPU  TASK/PID       ||||     DURATION                  FUNCTION CALLS',
      '#      |          |     |    |        ||||      |   |                     |   |   |   |',
      '',
    ]);
  });
});

describe('the lines of a latency tracer', () => {
  it('count the time since the latency began', () => {
    const view = { ...viewOf('irqsoff', latency), timeStart: 1e9, flags: TRACE_FLAG.IRQS_OFF };
    const recording = new Recording().call(1e9, 'main', 'main').call(1e9 + 12_598_000, 'parse', 'handle');
    assert.deepEqual(printed(view, recording), [
      '    node-4711      0d....    0us*: main <-main',
      '    node-4711      0d.... 12598us : parse <-handle',
    ]);
  });

  it('as a graph too', () => {
    const view = latencyGraphView({ ...viewOf('irqsoff', latency), timeStart: 1e9, flags: TRACE_FLAG.IRQS_OFF });
    const recording = new Recording()
      .enter(1e9, 'main', 0)
      .enter(1e9 + 5000, 'parse', 1)
      .leave(1e9 + 23_304_950, 'parse', 1, 23_299_950)
      .leave(1e9 + 23_305_000, 'main', 0, 23_305_000);
    assert.deepEqual(printed(view, recording), [
      '        0 us |   0)   node-4711    |  d.... |               |  main() {',
      '        5 us |   0)   node-4711    |  d.... |   23299.95 us |    parse();',
      '    23305 us |   0)   node-4711    |  d.... |   23305.00 us |  }',
    ]);
  });

  it('of a wake-up tell who woke whom, and of a switch who runs then', () => {
    const task = (pid: number): number[] => [38, pid, 1, 120];
    const recording = new Recording()
      .record(1000, FTRACE_EVENTS.wakeup.id, task(4711), [])
      .record(2000, FTRACE_EVENTS.context_switch.id, task(4711), []);
    assert.deepEqual(printed(viewOf('wakeup', latency), recording), [
      '    node-4711      0.....    1us :       38:120:R   + [001]    4711:  0:R node',
      '    node-4711      0.....    2us :       38:120:R ==> [001]    4711:  0:R node',
    ]);
    assert.deepEqual(printed(viewOf('wakeup', { raw: true }), recording), [
      '4711 0 1000 38 120 + 1 4711 0 R',
      '4711 0 2000 38 120 R 1 4711 0 R',
    ]);
  });

  it('of hwlat tell the longest gaps of a sample', () => {
    const long = (n: number): number[] => [n, Math.floor(n / 2 ** 32)];
    const sample = (interrupts: number, total: number): number[] => [
      ...long(25_137),
      ...long(27_690),
      ...long(total),
      ...long(1_795_208_226),
      ...long(705_605_290),
      interrupts,
      1,
      90,
    ];
    const recording = new Recording()
      .record(4_867_898_000, FTRACE_EVENTS.hwlat.id, sample(0, 0), [])
      .record(4_867_899_000, FTRACE_EVENTS.hwlat.id, sample(2, 900), []);
    assert.deepEqual(printed(viewOf('hwlat'), recording), [
      '            node-4711    [000] .....     4.867898: #1     inner/outer(us): 25137/27690 ts:1795208226.705605290 count:90',
      '            node-4711    [000] .....     4.867899: #1     inner/outer(us): 25137/27690 ts:1795208226.705605290 count:90 nmi-total:900 nmi-count:2',
    ]);
    assert.equal(printed(viewOf('hwlat', { raw: true }), recording)[0], '4711 0 4867898000 25137 27690 1795208226 705605290 1');
  });
});
