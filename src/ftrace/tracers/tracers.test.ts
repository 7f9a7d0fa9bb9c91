import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SWITCHED } from './tracer.js';
import { isLatencyTracer, TRACER_NAMES, TRACERS, tracerNamed } from './tracers.js';

test('available_tracers lists them as the kernel does, the last registered first', () => {
  assert.equal(
    TRACER_NAMES.join(' '),
    'hwlat function_graph wakeup_dl wakeup_rt wakeup preemptirqsoff preemptoff irqsoff function nop',
  );
  assert.deepEqual(TRACER_NAMES.filter(isLatencyTracer), [
    'wakeup_dl',
    'wakeup_rt',
    'wakeup',
    'preemptirqsoff',
    'preemptoff',
    'irqsoff',
  ]);
});

test('what an option switches is an option that some tracer has', () => {
  const options = TRACERS.flatMap((tracer) => ('options' in tracer ? tracer.options.map(({ name }) => name as string) : []));
  assert.equal(new Set(options).size, options.length, 'no option belongs to two tracers');
  for (const name of TRACER_NAMES) {
    const { switches = {} } = tracerNamed(name);
    for (const one of SWITCHED) assert.ok(switches[one] === undefined || options.includes(switches[one]), `${name}: ${one}`);
  }
});
