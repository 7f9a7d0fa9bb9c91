import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPS_ID } from '../../ftrace/ops.js';
import { SERVICE_OPS } from '../../ftrace/tracers/services.js';
import { NOP_CONFIG } from '../../ftrace/tracers/tracer-config.js';
import { createRingBuffer, RingBufferReader, RingBufferWriter } from '../../ring-buffer/index.js';
import { end, entry, ret, run } from './testing/hand-sites.js';
import { readRecords } from './testing/read-records.js';
import { createTraced, TEST_PID } from './testing/traced.js';

const NAMES = ['outer', 'inner'];
const INSTANCE = 5;
const INSTANCE_OPS = OPS_ID.FIRST_GIVEN;

const pair = (): (() => number) =>
  run(`
    function inner() { ${entry(1)} ${end} }
    function outer() { ${entry(0)} inner(); ${ret('7')} }
    return outer;`);

test('an instance traces its own functions into its own buffer, beside the top level', () => {
  const traced = createTraced(NAMES);
  const outer = pair();
  const buffer = createRingBuffer(1 << 16);
  const reader = new RingBufferReader(buffer);
  traced.runtime.setWriter(new RingBufferWriter(buffer), INSTANCE);
  traced.runtime.setInstanceTracer(INSTANCE, INSTANCE_OPS, { ...NOP_CONFIG, tracer: 'function' });
  traced.start({ tracer: 'function_graph' });
  traced.patch([OPS_ID.TRACER], [OPS_ID.TRACER, INSTANCE_OPS]);
  outer();
  assert.deepEqual(traced.lines(), ['outer(', '  inner(', '  )inner', ')outer']);
  const [record, ...others] = readRecords(reader, NAMES);
  assert.deepEqual([record?.event, record?.name, record?.parent, record?.pid], ['function', 'inner', 'outer', TEST_PID]);
  assert.equal(others.length, 0);

  traced.patch([OPS_ID.TRACER], [OPS_ID.TRACER]);
  outer();
  assert.equal(reader.isEmpty(), true);
});

test('a service is called for its functions with its configuration, and for the ends of frames that it wants', () => {
  const seen: unknown[] = [];
  let configured: unknown;
  const traced = createTraced(NAMES, {
    services: {
      profiler: (_ctx, bit) => ({
        entry: (n, depth) => {
          seen.push(['entry', n, depth, configured]);
          return n === 0 ? bit : 0;
        },
        exited: (depth, n, value, unwound) => seen.push(['exited', n, depth, value, unwound]),
        configure(config) {
          configured = config;
        },
      }),
    },
  });
  const outer = pair();
  traced.runtime.setService('profiler', 'first');
  traced.patch([SERVICE_OPS.profiler], [SERVICE_OPS.profiler]);
  outer();
  traced.runtime.setService('profiler', undefined);
  traced.patch([], []);
  outer();
  assert.deepEqual(seen, [
    ['entry', 0, 0, 'first'],
    ['entry', 1, 1, 'first'],
    ['exited', 0, 0, 7, false],
  ]);
  assert.equal(configured, undefined);
});
