import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { FUNCTION_KIND } from '../js-text.js';
import {
  awaits,
  caught,
  coCaught,
  coEnd,
  coLeft,
  coReturn,
  end,
  enterTry,
  entry,
  genCaught,
  ret,
  run,
  yields,
} from './testing/hand-sites.js';
import { createTraced } from './testing/traced.js';

const kinds = {
  handler: FUNCTION_KIND.async,
  other: FUNCTION_KIND.async,
  numbers: FUNCTION_KIND.generator,
  stream: FUNCTION_KIND['async-generator'],
};
const tidy = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.replace(/^ {4}/, ''));

test('an async function leaves the graph while it waits and comes back into it', async () => {
  const traced = createTraced(['handler', 'work', 'main'], { kinds });
  const main = run<(wait: () => Promise<number>) => Promise<number>>(`
    function work() { ${entry(1)} ${end} }
    async function handler(wait) { ${entry(0, 'wait')} work(); const x = ${awaits('wait()')}; work(); ${coReturn('x + 1')} }
    function main(wait) { ${entry(2, 'wait')} const promise = handler(wait); work(); ${ret('promise')} }
    return main;`);
  traced.start({ tracer: 'function_graph' });
  assert.equal(await main(async () => 1), 2);
  traced.stop();
  assert.deepEqual(
    traced.lines(),
    tidy(`
    main(
      handler(
        work(
        )work
      )handler~
      work(
      )work
    )main
    handler(~
      work(
      )work
    )handler`),
  );
});

test('interleaved requests never nest into each other', async () => {
  const traced = createTraced(['handler', 'work'], { kinds });
  const handler = run<(n: number, wait: () => Promise<unknown>) => Promise<void>>(`
    function work() { ${entry(1)} ${end} }
    async function handler(n, wait) { ${entry(0, 'n')} for (let i = 0; i < n; i++) { work(); ${awaits('wait()')}; } ${coEnd} }
    return handler;`);
  traced.start({ tracer: 'function_graph' });
  await Promise.all([handler(5, () => turn()), handler(7, async () => 0), handler(3, () => turn())]);
  traced.stop();
  const records = traced.records();
  assert.deepEqual([...new Set(records.filter(({ name }) => name === 'handler').map(({ depth }) => depth))], [0]);
  assert.deepEqual([...new Set(records.filter(({ name }) => name === 'work').map(({ depth }) => depth))], [1]);
  const count = (event: string, flags: number): number =>
    records.filter((r) => r.name === 'handler' && r.event === event && r.flags === flags).length;
  assert.deepEqual(
    [count('funcgraph_entry', 0), count('funcgraph_exit', 2), count('funcgraph_entry', 1), count('funcgraph_exit', 0)],
    [3, 15, 15, 3],
  );
});

test('sleep-time decides whether waiting counts', async () => {
  for (const [sleepTime, duration] of [
    [true, 111],
    [false, 11],
  ] as const) {
    let now = 1000;
    const traced = createTraced(['handler'], { kinds, clock: () => now });
    const pass = (ns: number): void => {
      now += ns;
    };
    const handler = run<(pass: (ns: number) => void) => Promise<void>>(`
      async function handler(pass) { ${entry(0)} pass(1); ${awaits('Promise.resolve().then(() => pass(100))')}; pass(10); ${coEnd} }
      return handler;`);
    traced.start({ tracer: 'function_graph', sleepTime });
    await handler(pass);
    traced.stop();
    const exits = traced.records().filter(({ event }) => event === 'funcgraph_exit');
    assert.deepEqual(
      exits.map(({ flags, calltime, rettime }) => [flags, rettime - calltime]),
      [
        [2, 1],
        [0, duration],
      ],
      'first the stretch before the await, then the whole call',
    );
  }
});

test('a rejected await caught inside: the coroutine is back before its catch runs', async () => {
  const traced = createTraced(['handler', 'work'], { kinds });
  const handler = run<() => Promise<string>>(`
    function work() { ${entry(1)} ${end} }
    async function handler() { ${entry(0)}
      try { ${enterTry} ${awaits('Promise.reject(new Error("no"))')}; } catch (error) { ${caught} ${coCaught} work(); ${coReturn('error.message')} } }
    return handler;`);
  traced.start({ tracer: 'function_graph' });
  assert.equal(await handler(), 'no');
  traced.stop();
  assert.deepEqual(traced.lines(), ['handler(', ')handler~', 'handler(~', '  work(', '  )work', ')handler']);
});

test('an async function that throws ends with its job at the latest', async () => {
  const traced = createTraced(['handler', 'work'], { kinds });
  const [handler, work] = run<[() => Promise<void>, () => void]>(`
    function work() { ${entry(1)} ${end} }
    async function handler() { ${entry(0)} throw new Error('no'); }
    return [handler, work];`);
  traced.start({ tracer: 'function_graph' });
  await assert.rejects(handler());
  await turn();
  work();
  traced.stop();
  assert.deepEqual(traced.lines(), ['handler(', ')handler!', 'work(', ')work']);
});

test('with a finally around its body, an async function that throws ends right there', async () => {
  const traced = createTraced(['handler', 'work', 'main'], { kinds });
  const main = run<() => Promise<unknown>>(`
    function work() { ${entry(1)} ${end} }
    async function handler(fails) { ${entry(0)} try { work(); if (fails) throw new Error('no'); ${coReturn('1')} } finally ${coLeft} }
    function main() { ${entry(2)} const all = [handler(true), handler(false)]; work(); ${ret('Promise.allSettled(all)')} }
    return main;`);
  traced.start({ tracer: 'function_graph' });
  await main();
  traced.stop();
  assert.deepEqual(
    traced.lines(),
    tidy(`
    main(
      handler(
        work(
        )work
      )handler!
      handler(
        work(
        )work
      )handler
      work(
      )work
    )main`),
  );
});

test('a generator runs nested in the caller that asks for the next value', () => {
  const traced = createTraced(['numbers', 'first', 'second'], { kinds });
  const both = run<() => unknown[]>(`
    function* numbers() { ${entry(0)} ${yields('1')}; ${yields('2')}; ${coEnd} }
    function first(g) { ${entry(1)} ${ret('g.next().value')} }
    function second(g) { ${entry(2)} ${ret('first(g)')} }
    return () => { const g = numbers(); return [first(g), second(g), first(g)]; };`);
  traced.start({ tracer: 'function_graph' });
  assert.deepEqual(both(), [1, 2, undefined]);
  traced.stop();
  assert.deepEqual(
    traced.lines(),
    tidy(`
    first(
      numbers(
      )numbers~
    )first
    second(
      first(
        numbers(~
        )numbers~
      )first
    )second
    first(
      numbers(~
      )numbers
    )first`),
  );
});

test('a generator that is returned from: its finally runs inside the caller', () => {
  const traced = createTraced(['numbers', 'work', 'caller'], { kinds });
  const caller = run<() => void>(`
    function work() { ${entry(1)} ${end} }
    function* numbers() { ${entry(0)} try { ${enterTry} ${yields('1')}; } finally { ${genCaught} work(); } ${coEnd} }
    function caller() { ${entry(2)} for (const n of numbers()) break; ${end} }
    return caller;`);
  traced.start({ tracer: 'function_graph' });
  caller();
  traced.stop();
  assert.deepEqual(
    traced.lines(),
    tidy(`
    caller(
      numbers(
      )numbers~
      numbers(~
        work(
        )work
      )numbers!
    )caller`),
  );
});

test('an async generator waits and yields', async () => {
  const traced = createTraced(['stream', 'handler'], { kinds });
  const handler = run<() => Promise<number>>(`
    async function* stream() { ${entry(0)} ${awaits('1')}; ${yields('2')}; ${coEnd} }
    async function handler() { ${entry(1)} let sum = 0; {$fs&&$fz($fs)} for await (const n of stream()) { {$fs&&$fw($fs)} sum += n; {$fs&&$fz($fs)} } {$fs&&$fw($fs)} ${coReturn('sum')} }
    return handler;`);
  traced.start({ tracer: 'function_graph' });
  assert.equal(await handler(), 2);
  traced.stop();
  const lines = traced.lines();
  assert.deepEqual(lines.slice(-2), ['handler(~', ')handler']);
  assert.ok(!lines.some((line) => line.startsWith(' ')), 'neither is inside the other: handler waits while stream runs');
});

test('frames that an uncaught exception leaves are cleared before the next job, and when the program handles it', async () => {
  const traced = createTraced(['thrower', 'work']);
  const [thrower, work] = run<[() => void, () => void]>(`
    function thrower() { ${entry(0)} throw new Error('no'); }
    function work() { ${entry(1)} ${end} }
    return [thrower, work];`);
  traced.start({ tracer: 'function_graph' });
  assert.throws(thrower);
  traced.uncaught!(new Error('uncaught'));
  work();
  assert.throws(thrower);
  await turn();
  work();
  traced.stop();
  assert.equal(traced.uncaught, undefined, 'the listener goes with the last armed site');
  const once = ['thrower(', ')thrower!', 'work(', ')work'];
  assert.deepEqual(traced.lines(), [...once, ...once]);
});

test('tracing switched off and on while activations are in flight', async () => {
  const traced = createTraced(['handler', 'work', 'outer'], { kinds });
  const { handler, outer, work } = run<{
    handler: (wait: () => Promise<unknown>) => Promise<void>;
    outer: (inside: () => void) => void;
    work: () => void;
  }>(`
    function work() { ${entry(1)} ${end} }
    async function handler(wait) { ${entry(0)} ${awaits('wait()')}; work(); ${coEnd} }
    function outer(inside) { ${entry(2)} inside(); ${end} }
    return { handler, outer, work };`);

  traced.start({ tracer: 'function_graph' });
  const inFlight = handler(() => turn());
  outer(() => {
    traced.stop();
    work();
    traced.start({ tracer: 'function_graph' });
    work();
  });
  work();
  await inFlight;
  traced.stop();
  assert.deepEqual(
    traced.lines(),
    tidy(`
    handler(
    )handler~
    outer(
    work(
    )work
    work(
    )work
    work(
    )work`),
    'outer and handler began in another period: they are not seen to end, and nothing nests into them',
  );
});

test('set_graph_notrace also applies to the calls of an async function after its waits, and to what it waits for', async () => {
  const traced = createTraced(['handler', 'other', 'work'], { kinds });
  const [handler, work] = run<[() => Promise<void>, () => void]>(`
    function work() { ${entry(2)} ${end} }
    async function other() { ${entry(1)} work(); ${awaits('0')}; work(); ${coEnd} }
    async function handler() { ${entry(0)} work(); ${awaits('other()')}; work(); ${coEnd} }
    return [handler, work];`);
  traced.start({ tracer: 'function_graph', graphNotrace: Uint32Array.of(1) });
  const handled = handler();
  work();
  await handled;
  work();
  traced.stop();
  assert.deepEqual(traced.lines(), ['work(', ')work', 'work(', ')work']);
});
