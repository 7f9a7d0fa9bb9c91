import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FUNCTION_KIND } from '../js-text.js';
import { awaits, coEnd, end, entry, run } from './testing/hand-sites.js';
import { createTraced, TEST_PID } from './testing/traced.js';

const IGNORED_BIT = 1 << 3;

test('a tracer that follows tasks records those that it traces, with their pids', () => {
  const traced = createTraced(['f', 'g']);
  const [f, g] = run<[() => void, () => void]>(
    `function f() { ${entry(0)} g(); ${end} } function g() { ${entry(1)} ${end} } return [f, g];`,
  );
  for (const tracer of ['function', 'function_graph'] as const) {
    traced.start({ tracer, ignoredBit: IGNORED_BIT });
    traced.runtime.switchTask(7, 0);
    f();
    traced.runtime.switchTask(8, IGNORED_BIT);
    f();
    traced.runtime.switchTask(9, 1 << 4);
    g();
    traced.runtime.switchTask(undefined, 0);
    g();
    traced.stop();
    const records = traced.records().filter(({ event }) => event !== 'funcgraph_exit');
    assert.deepEqual(
      records.map(({ name, pid }) => `${name} ${pid}`),
      ['f 7', 'g 7', 'g 9', `g ${TEST_PID}`],
    );
  }
});

test('a coroutine that resumes in a task that is not traced is not traced any more', async () => {
  const traced = createTraced(['f'], { kinds: { f: FUNCTION_KIND.async } });
  const f = run<() => Promise<void>>(`async function f() { ${entry(0)} ${awaits('1')}; ${awaits('2')}; ${coEnd} } return f;`);
  traced.start({ tracer: 'function_graph', ignoredBit: IGNORED_BIT });
  traced.runtime.switchTask(7, 0);
  const ended = f();
  traced.runtime.switchTask(8, IGNORED_BIT);
  await ended;
  traced.runtime.switchTask(7, 0);
  traced.stop();
  assert.deepEqual(traced.lines(), ['f(', ')f~']);
});
