import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../base/testing/random.js';
import type { TraceEvent } from '../../events/define.js';
import { FTRACE_EVENTS } from '../../events/ftrace-events.js';
import { recordOf } from '../../events/record-of.js';
import { readValues } from '../../events/testing/random-values.js';
import { MaxLatency } from '../../ftrace/tracers/latency/max-latency.js';
import type { TracerConfig } from '../../ftrace/tracers/tracer-config.js';
import { createSnapshotMemory, DEFAULT_SUBBUF_BYTES } from '../../ring-buffer/index.js';
import type { LatencyNeeds } from './latency/latency-tracer.js';
import type { TurnListener } from './latency/turns.js';
import { ENTRY_BYTES, EXIT_BYTES, FUNCTION_BYTES } from './record-layout.js';
import { caught, end, enterTry, entry, ret, run } from './testing/hand-sites.js';
import { createTraced, type TracedOptions } from './testing/traced.js';

const EVENTS = new Map<number, TraceEvent>(Object.values(FTRACE_EVENTS).map((event) => [event.id, event]));
const NAMES = ['main', 'leaf', 'fails'];

const program = () =>
  run<(count: number) => void>(`
    function fails() { ${entry(2)} throw 1; }
    function leaf(n) { ${entry(1, 'n')} ${ret('n * 2')} ${end} }
    function main(count) { ${entry(0, 'count')}
      for (let i = 0; i < count; i++) { leaf(i); leaf(i); try { ${enterTry} fails() } catch { ${caught} } } ${end} }
    return main;`);

/** A clock that goes on by leaps, to times whose high half counts. */
function leapingClock(seed: number): () => number {
  const random = seededRandom(seed);
  let now = 2 ** 40;
  return () => {
    now += random(2) === 0 ? random(1000) : random(2 ** 36);
    return now;
  };
}

/** What the tracers wrote of a program, with the event of each record. */
function recorded(config: Partial<TracerConfig> & Pick<TracerConfig, 'tracer'>, options: TracedOptions = {}) {
  const traced = createTraced(NAMES, { clock: leapingClock(1), ...options });
  const main = program();
  traced.start(config);
  for (let i = 0; i < 20; i++) main(3);
  traced.stop();
  return traced.words().map((words) => ({ words, event: EVENTS.get(words[0]! & 0xffff)! }));
}

/** A record, made from the event's definition; what is appended to it stays. */
function fromDefinition(event: TraceEvent, words: Uint32Array): Uint8Array {
  const bytes = new Uint8Array(words.buffer);
  const values = readValues(event, { bytes, at: 0, size: bytes.length });
  const record = recordOf(event, { pid: words[1]! | 0, flags: (words[0]! >>> 16) & 0xff }, values);
  return record.length < bytes.length ? Uint8Array.of(...record, ...bytes.subarray(record.length)) : record;
}

const CASES: Readonly<Record<string, readonly [config: Parameters<typeof recorded>[0], events: readonly string[]]>> = {
  function: [{ tracer: 'function' }, ['function']],
  'function with options': [{ tracer: 'function', args: true, parents: true }, ['function']],
  'function with stacks': [{ tracer: 'function', stacks: true }, ['function', 'kernel_stack']],
  'func-no-repeats': [{ tracer: 'function', noRepeats: true }, ['func_repeats', 'function']],
  function_graph: [{ tracer: 'function_graph' }, ['funcgraph_entry', 'funcgraph_exit']],
  'function_graph with options': [{ tracer: 'function_graph', args: true, retval: true }, ['funcgraph_entry', 'funcgraph_exit']],
  'function_graph with a threshold': [{ tracer: 'function_graph', threshold: 1 }, ['funcgraph_exit']],
};

for (const [name, [config, events]] of Object.entries(CASES)) {
  test(`records of ${name} are those of their events' definitions`, () => {
    const records = recorded(config, {
      findCaller: () => 0x81000044,
      walkStack(addresses) {
        addresses.set([0x81000001, 0xffffffff, 0x81000002]);
        return 3;
      },
    });
    assert.deepEqual([...new Set(records.map(({ event }) => event.name))].sort(), events);
    for (const { words, event } of records) {
      assert.deepEqual(new Uint8Array(words.buffer), fromDefinition(event, words), event.name);
    }
  });
}

test('records of latency tracers are those of their events’ definitions', () => {
  let turn: TurnListener | undefined;
  const latency: LatencyNeeds = {
    cpu: 3,
    turns: { start: (listener) => void (turn = listener), stop() {}, discard() {} },
    callbacks: { start() {}, stop() {}, discard() {} },
    wakeups: { start() {}, stop() {} },
    addressOf: () => 0x70000010,
    nameTask() {},
  };
  for (const displayGraph of [false, true]) {
    const traced = createTraced(NAMES, { clock: leapingClock(2), latency });
    const main = program();
    const trace = createSnapshotMemory(400, DEFAULT_SUBBUF_BYTES);
    traced.start({ tracer: 'irqsoff', displayGraph, latency: { measurement: 1, max: new MaxLatency().memory, trace } });
    turn!.began('Timeout', 'hardirq', 2 ** 40);
    main(3);
    traced.stop();
    const records = traced.words();
    assert.ok(records.length > 5);
    for (const words of records) {
      const event = EVENTS.get(words[0]! & 0xffff)!;
      assert.deepEqual(new Uint8Array(words.buffer), fromDefinition(event, words), event.name);
    }
  }
});

test('the sizes that writers count with are those of the definitions', () => {
  const { function: call, funcgraph_entry: entered, funcgraph_exit: left } = FTRACE_EVENTS;
  assert.deepEqual([FUNCTION_BYTES, ENTRY_BYTES, EXIT_BYTES], [call.size, entered.size, left.size]);
});
