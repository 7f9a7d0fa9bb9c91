import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { OPS_ID } from '../../ftrace/ops.js';
import { NOP_CONFIG } from '../../ftrace/tracers/tracer-config.js';
import { caught, end, enterTry, entry, ret, run } from './testing/hand-sites.js';
import { createTraced, TEST_PID } from './testing/traced.js';

const trim = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.replace(/^ {4}/, ''));

test('nested calls: each entry has its exit at the same depth, with both times', () => {
  const traced = createTraced(['outer', 'inner']);
  const outer = run<(x: number) => number>(`
    function inner(x) { ${entry(1, 'x')} ${ret('x + 1')} }
    function outer(x) { ${entry(0, 'x')} ${ret('inner(x) + inner(x)')} }
    return outer;`);
  traced.start({ tracer: 'function_graph' });
  assert.equal(outer(1), 4);
  const records = traced.records();
  traced.stop();
  assert.deepEqual(
    records.map(({ event, name, depth, pid }) => `${event} ${name} ${depth} ${pid}`),
    [
      `funcgraph_entry outer 0 ${TEST_PID}`,
      `funcgraph_entry inner 1 ${TEST_PID}`,
      `funcgraph_exit inner 1 ${TEST_PID}`,
      `funcgraph_entry inner 1 ${TEST_PID}`,
      `funcgraph_exit inner 1 ${TEST_PID}`,
      `funcgraph_exit outer 0 ${TEST_PID}`,
    ],
  );
  const [enter, , , , , exit] = records;
  assert.equal(exit!.calltime, enter!.ts);
  assert.equal(exit!.rettime, exit!.ts);
  assert.equal(outer(1), 4);
  assert.deepEqual(traced.records(), [], 'sites are NOPs again');
});

test('an exception unwinds through traced and untraced functions alike', () => {
  const traced = createTraced(['outer', 'thrower', 'after', 'between']);
  const outer = run<() => string>(`
    function after() { ${entry(2)} ${end} }
    function thrower() { ${entry(1)} throw new Error('no'); }
    function between() { ${entry(3)} thrower(); ${end} }
    function outer() { ${entry(0)} try { ${enterTry} between(); } catch (error) { ${caught} after(); ${ret('error.message')} } ${end} }
    return outer;`);
  const graph = (functions: number[]): string[] => {
    traced.start({ tracer: 'function_graph' }, functions);
    assert.equal(outer(), 'no');
    traced.stop();
    return traced.lines();
  };
  assert.deepEqual(
    graph([0, 1, 2, 3]),
    trim(`
    outer(
      between(
        thrower(
        )thrower!
      )between!
      after(
      )after
    )outer`),
  );
  assert.deepEqual(
    graph([0, 1, 2]),
    trim(`
    outer(
      thrower(
      )thrower!
      after(
      )after
    )outer`),
  );
  assert.deepEqual(
    graph([1, 2]),
    trim(`
    thrower(
    )thrower!
    after(
    )after`),
    'the catch is in a function that is not traced',
  );
});

test('an exception that is caught without a try site is noticed at the exit of the function that caught it', () => {
  const traced = createTraced(['outer', 'thrower']);
  const outer = run<() => void>(`
    function thrower() { ${entry(1)} throw 1; }
    function outer(swallow) { ${entry(0)} swallow(thrower); ${end} }
    return outer;`) as (swallow: (f: () => void) => void) => void;
  traced.start({ tracer: 'function_graph' });
  outer((f) => assert.throws(f));
  traced.stop();
  assert.deepEqual(traced.lines(), ['outer(', '  thrower(', '  )thrower!', ')outer']);
});

test('a return that finally overrides: the exit that happens is the one recorded', () => {
  const traced = createTraced(['f']);
  const f = run<() => number>(`
    function f() { ${entry(0)} try { ${enterTry} $fq = 1; throw 0; } catch (e) { ${caught} } finally { ${caught} ${ret('2')} } }
    return f;`);
  traced.start({ tracer: 'function_graph', retval: true });
  assert.equal(f(), 2);
  traced.stop();
  assert.deepEqual(
    traced.records().map(({ event, result }) => `${event} ${result}`),
    ['funcgraph_entry undefined', 'funcgraph_exit 2'],
  );
});

const recursion = (): ((n: number) => number) =>
  run(`function f(n) { ${entry(0, 'n')} if (n === 0) ${ret('0')} ${ret('f(n - 1) + 1')} } return f;`);

test('max_graph_depth cuts deeper calls off', () => {
  const traced = createTraced(['f']);
  const f = recursion();
  traced.start({ tracer: 'function_graph', maxDepth: 2 });
  f(5);
  traced.stop();
  assert.deepEqual(traced.lines(), ['f(', '  f(', '  )f', ')f']);
});

const family = (): (() => void) =>
  run(`
    function child() { ${entry(1)} ${end} }
    function other() { ${entry(2)} child(); ${end} }
    function top() { ${entry(0)} child(); other(); child(); ${end} }
    return top;`);
const bits = (...numbers: number[]): Uint32Array => Uint32Array.of(numbers.reduce((word, n) => word | (1 << n), 0));

test('set_graph_function: only that function and what it calls', () => {
  const traced = createTraced(['top', 'child', 'other']);
  const top = family();
  traced.start({ tracer: 'function_graph', graphFunctions: bits(2) });
  top();
  traced.stop();
  assert.deepEqual(traced.lines(), ['other(', '  child(', '  )child', ')other']);
});

test('a subscriber that comes or goes in the midst of a set_graph_function’s call does not end its graph', () => {
  const traced = createTraced(['root', 'child']);
  const root = run<(change: () => void) => void>(`
    function child() { ${entry(1)} ${end} }
    function root(change) { ${entry(0, 'change')} change(); child(); ${end} }
    return root;`);
  traced.start({ tracer: 'function_graph', graphFunctions: bits(0) });
  root(() => traced.runtime.addSubscriber(-1, { func() {} }));
  root(() => traced.runtime.removeSubscriber(-1));
  traced.stop();
  const graph = ['root(', '  child(', '  )child', ')root'];
  assert.deepEqual(traced.lines(), [...graph, ...graph]);
});

test('set_graph_notrace: neither that function nor what it calls', () => {
  const traced = createTraced(['top', 'child', 'other']);
  const top = family();
  traced.start({ tracer: 'function_graph', graphNotrace: bits(2) });
  top();
  traced.stop();
  assert.deepEqual(traced.lines(), ['top(', '  child(', '  )child', '  child(', '  )child', ')top']);
});

test('an exception in a set_graph_notrace function ends the silence', () => {
  const traced = createTraced(['top', 'child', 'quiet']);
  const top = run<() => void>(`
    function child() { ${entry(1)} ${end} }
    function quiet() { ${entry(2)} child(); throw 1; }
    function top() { ${entry(0)} try { ${enterTry} quiet(); } catch { ${caught} } child(); ${end} }
    return top;`);
  traced.start({ tracer: 'function_graph', graphNotrace: bits(2) });
  top();
  traced.stop();
  assert.deepEqual(traced.lines(), ['top(', '  child(', '  )child', ')top']);
});

test('tracing_thresh: no entries, and exits only of what took that long', () => {
  let now = 1000;
  const traced = createTraced(['slow', 'fast'], { clock: () => now });
  const slow = run<(wait: (ns: number) => void) => void>(`
    function fast(wait) { ${entry(1, 'wait')} wait(10); ${end} }
    function slow(wait) { ${entry(0, 'wait')} fast(wait); wait(100); ${end} }
    return slow;`);
  traced.start({ tracer: 'function_graph', threshold: 100 });
  slow((ns) => {
    now += ns;
  });
  traced.stop();
  assert.deepEqual(
    traced.records().map(({ event, name, calltime, rettime }) => [event, name, calltime, rettime]),
    [['funcgraph_exit', 'slow', 1000, 1110]],
  );
});

test('arguments and results are rendered when asked for', () => {
  const traced = createTraced(['f']);
  const f = run<(a: unknown, b: unknown) => unknown>(`function f(a, b) { ${entry(0, 'a,b')} ${ret('[a, b]')} } return f;`);
  traced.start({ tracer: 'function_graph', args: true, retval: true });
  f('héllo', { x: 1 });
  traced.stop();
  const [enter, exit] = traced.records();
  assert.deepEqual(enter!.args, ['"héllo"', '{x: 1}']);
  assert.equal(exit!.result, '["héllo", {…}]');
});

test('50,000 frames deep, every entry with its exit', async () => {
  const worker = new Worker(new URL('./testing/deep-recursion.js', import.meta.url), { resourceLimits: { stackSizeMb: 64 } });
  const [records] = (await once(worker, 'message')) as [{ events: number; deepest: number; last: number }];
  assert.deepEqual(records, { events: 2 * 50_001, deepest: 50_000, last: 0 });
});

test('a stack overflow is the program’s own, and tracing goes on after it', () => {
  const traced = createTraced(['f', 'guarded'], { bytes: 8 << 20 });
  const guarded = run<(n: number) => string>(`
    function f(n) { ${entry(0, 'n')} if (n === 0) ${ret('0')} ${ret('f(n - 1) + 1')} }
    function guarded(n) { ${entry(1)} try { ${enterTry} f(n); ${ret('"fine"')} } catch (error) { ${caught} ${ret('error.message')} } ${end} }
    return guarded;`);
  traced.start({ tracer: 'function_graph' });
  for (let i = 0; i < 50; i++) assert.match(guarded(1e9), /Maximum call stack/);
  traced.records();
  assert.equal(guarded(1), 'fine');
  traced.stop();
  assert.deepEqual(traced.lines(), ['guarded(', '  f(', '    f(', '    )f', '  )f', ')guarded']);
});

test('a function of set_graph_notrace at whose entry the stack overflows silences nothing', () => {
  let overflows = false;
  const clock = (): number => {
    if (overflows) throw new RangeError('Maximum call stack size exceeded');
    return 1000;
  };
  for (const args of [false, true]) {
    const traced = createTraced(['quiet', 'loud'], { clock });
    const [quiet, loud] = run<[() => void, () => void]>(`
      function quiet() { ${entry(0)} ${end} }
      function loud() { ${entry(1)} ${end} }
      return [quiet, loud];`);
    // With arguments another trampoline serves, which the instance's tracer makes throw after the graph's entry has returned.
    traced.start({ tracer: 'function_graph', graphNotrace: Uint32Array.of(1), args });
    traced.runtime.setInstanceTracer(1, OPS_ID.FIRST_GIVEN, { ...NOP_CONFIG, tracer: 'function' });
    if (args) traced.patch([OPS_ID.TRACER, OPS_ID.FIRST_GIVEN]);
    overflows = true;
    quiet();
    overflows = false;
    loud();
    traced.stop();
    assert.deepEqual(traced.lines(), ['loud(', ')loud']);
  }
});
