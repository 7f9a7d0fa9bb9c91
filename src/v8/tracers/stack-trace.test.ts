import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FTRACE_EVENTS } from '../../events/ftrace-events.js';
import { TEXT_HIGH } from '../text-region.js';
import { end, entry, run } from './testing/hand-sites.js';
import { createTraced, TEST_PID } from './testing/traced.js';

const typeOf = (words: Uint32Array): number => words[0]! & 0xffff;

test('func_stack_trace: a stack of as many addresses as there are frames follows each function', () => {
  let walks = 0;
  const traced = createTraced(['f'], {
    walkStack(addresses) {
      addresses.set([0x81000001, 0x81000002]);
      return ++walks;
    },
  });
  const f = run<() => void>(`function f() { ${entry(0)} ${end} } return f;`);
  traced.start({ tracer: 'function', stacks: true });
  f();
  f();
  traced.stop();
  f();
  const records = traced.words();
  assert.deepEqual(records.map(typeOf), [1, FTRACE_EVENTS.kernel_stack.id, 1, FTRACE_EVENTS.kernel_stack.id]);
  assert.deepEqual([...records[1]!], [FTRACE_EVENTS.kernel_stack.id, TEST_PID, 1, 0, 0x81000001, TEXT_HIGH]);
  assert.deepEqual([...records[3]!.subarray(2)], [2, 0, 0x81000001, TEXT_HIGH, 0x81000002, TEXT_HIGH]);
});

test('what the walk calls is not traced', () => {
  const f = run<() => void>(`function f() { ${entry(0)} ${end} } return f;`);
  const traced = createTraced(['f'], {
    walkStack() {
      f();
      return 0;
    },
  });
  traced.start({ tracer: 'function', stacks: true });
  f();
  traced.stop();
  assert.equal(traced.words().length, 2);
});

test('stacktrace: a stack follows events of others, not those of tracers', () => {
  const traced = createTraced(['f'], { walkStack: () => 1 });
  const f = run<() => void>(`function f() { ${entry(0)} ${end} } return f;`);
  traced.start({ tracer: 'function', eventStacks: true });
  f();
  traced.runtime.eventRecorded();
  traced.start({ tracer: 'function' });
  traced.runtime.eventRecorded();
  traced.stop();
  assert.deepEqual(traced.words().map(typeOf), [1, FTRACE_EVENTS.kernel_stack.id]);
});
