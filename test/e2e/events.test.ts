import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sandbox, until } from './support/program.js';

const TRACEPOINT = JSON.stringify(new URL('../../../dist/tracepoint.cjs', import.meta.url).pathname);

/** A shop that sells an order every two milliseconds, in its main thread and in a worker. */
const PROGRAM = `
const { Worker, isMainThread } = require('node:worker_threads');
const { int, string, traceEvent, u32 } = require(${TRACEPOINT});
const trace = {
  order: traceEvent('shop', 'order', {
    args: ['order'],
    fields: { id: u32((order) => order.id), price: int((order) => order.price), customer: string((order) => order.customer) },
    print: '"id=%u price=%d customer=%s", REC->id, REC->price, __get_str(customer)',
  }),
};
if (isMainThread) new Worker(__filename);
let id = 0;
function sell() {
  id++;
  trace.order({ id, price: (id % 5) * 10, get customer() { if (id % 7 === 0) throw new Error('nobody'); return 'c' + (id % 3); } });
}
setInterval(sell, 2);
`;

const start = async (t: import('node:test').TestContext, env: NodeJS.ProcessEnv = {}) => {
  const sandbox = new Sandbox(t);
  await sandbox.start(PROGRAM, env);
  const cat = (path: string): Promise<string> => sandbox.read(path);
  const append = async (path: string, text: string): Promise<string> => (await sandbox.fentry('append', path, text)).stderr;
  await until(async () => (await sandbox.fentry('ls', 'events')).stdout.includes('shop/'), 'the event is declared');
  return { sandbox, cat, append };
};

/** The orders that a trace shows. */
const orders = (trace: string): { cpu: number; id: number; price: number; customer: string }[] =>
  Array.from(trace.matchAll(/\[(\d+)\] .* order: id=(\d+) price=(\d+) customer=(.*)/g), ([, cpu, id, price, customer]) => ({
    cpu: Number(cpu),
    id: Number(id),
    price: Number(price),
    customer: customer!,
  }));

test('an event of a library is recorded while it is enabled, in all threads', async (t) => {
  const { sandbox, cat, append } = await start(t);
  assert.match(await cat('available_events'), /^shop:order$/m);
  assert.equal(await append('events/shop/order/enable', '1'), '');
  const cpus = async (): Promise<Set<number>> => new Set(orders(await cat('trace')).map(({ cpu }) => cpu));
  await until(async () => (await cpus()).size === 2, 'both threads record');
  assert.equal(await cat('events/shop/order/enable'), '1\n');
  assert.equal(await cat('set_event'), 'shop:order\n');
  assert.equal(await append('events/shop/order/enable', '0'), '');
  const all = orders(await cat('trace'));
  for (const { id, price, customer } of all) {
    assert.equal(price, (id % 5) * 10);
    assert.equal(customer, id % 7 === 0 ? '(fault)' : `c${id % 3}`);
  }
  const ids = all.filter(({ cpu }) => cpu === 0).map(({ id }) => id);
  assert.deepEqual(
    ids,
    ids.map((_, i) => ids[0]! + i),
  );
  const { stdout } = await sandbox.fentry('cat', 'events/shop/order/format');
  assert.match(stdout, /field:__data_loc char\[\] customer;\toffset:16;\tsize:4;\tsigned:1;/);
});

test('a filter lets through what it says; a refused one says why', async (t) => {
  const { cat, append } = await start(t);
  assert.equal(await append('events/shop/order/filter', 'price > 20 && customer ~ "c[12]"'), '');
  await append('events/shop/enable', '1');
  await until(async () => orders(await cat('trace')).length > 10, 'some are recorded');
  await append('events/enable', '0');
  for (const { price, customer } of orders(await cat('trace'))) {
    assert.ok(price > 20, `price ${price}`);
    assert.match(customer, /^c[12]$/);
  }
  assert.match(await append('events/shop/order/filter', 'prize > 20'), /Field not found \(EINVAL\)/);
  assert.match(await cat('events/shop/order/filter'), /\^\nparse_error: Field not found/);
  assert.match(await cat('error_log'), /event filter parse error: error: Field not found\n {2}Command: prize > 20\n/);
});

test('triggers: traceoff keeps the event that met it, and its stack', async (t) => {
  const { cat, append } = await start(t);
  // A trigger acts while its event is not enabled, too.
  assert.equal(await append('events/shop/order/trigger', 'stacktrace if price == 40'), '');
  assert.equal(await cat('events/shop/order/enable'), '0*\n');
  assert.equal(await append('set_event', 'shop:order'), '');
  assert.equal(await append('events/shop/order/trigger', 'traceoff:1 if price == 40'), '');
  await until(async () => (await cat('tracing_on')) === '0\n', 'tracing is off');
  assert.equal(await cat('events/shop/order/trigger'), 'traceoff:count=0 if price == 40\nstacktrace:unlimited if price == 40\n');
  const trace = await cat('trace');
  assert.match(trace, /price=40 customer=\S+\n.*<stack trace>\n => sell\n/);
  assert.ok(orders(trace).some(({ price }) => price !== 40));
  assert.equal(await append('events/shop/order/trigger', '!traceoff'), '');
  assert.equal(await append('events/shop/order/trigger', '!stacktrace'), '');
  assert.equal(await cat('events/shop/order/enable'), '1\n');
});

test('a command of set_ftrace_filter switches an event at a call', async (t) => {
  const { cat, append } = await start(t);
  assert.equal(await append('set_ftrace_filter', 'sell:enable_event:shop:order:1'), '');
  await until(async () => orders(await cat('trace')).length > 3, 'the event was switched on');
  assert.equal(await cat('events/shop/order/enable'), '1*\n');
  assert.equal(await append('set_ftrace_filter', '!sell:enable_event:shop:order:1'), '');
  assert.equal(await cat('events/shop/order/enable'), '1\n');
});

test('instances record an event each in its own way', async (t) => {
  const { sandbox, cat, append } = await start(t);
  await sandbox.fentry('start', '-B', 'dear', '-p', 'nop');
  assert.equal(await append('instances/dear/events/shop/order/filter', 'price >= 30'), '');
  assert.equal(await append('instances/dear/events/shop/order/enable', '1'), '');
  assert.equal(await append('events/shop/order/enable', '1'), '');
  await until(async () => orders(await cat('instances/dear/trace')).length > 5, 'the instance records');
  assert.ok(orders(await cat('instances/dear/trace')).every(({ price }) => price >= 30));
  assert.ok(orders(await cat('trace')).some(({ price }) => price < 30));
});

test('set_event_pid and set_event_notrace_pid choose the threads whose events are recorded', async (t) => {
  const { sandbox, cat, append } = await start(t);
  await append('events/shop/order/enable', '1');
  /** The pids of the threads that the trace shows, by cpu. */
  const pids = async (): Promise<string[]> => {
    const lines = (await cat('trace')).matchAll(/-(\d+) +\[(\d+)\] .* order: /g);
    const byCpu = new Map(Array.from(lines, ([, pid, cpu]) => [cpu!, pid!]));
    return [...byCpu].sort().map(([, pid]) => pid);
  };
  await until(async () => (await pids()).length === 2, 'both threads record');
  const [main, worker] = (await pids()) as [string, string];
  const write = async (path: string, pid: string): Promise<void> => {
    assert.equal(await append(path, pid), '');
    await sandbox.fentry('clear');
    await until(async () => orders(await cat('trace')).length > 10, 'orders are recorded');
  };
  await write('set_event_pid', main);
  assert.deepEqual(await pids(), [main]);
  await write('set_event_pid', worker);
  await until(async () => (await pids()).length === 2, 'both threads record again');
  await write('set_event_notrace_pid', main);
  assert.deepEqual(await pids(), [worker]);
});

test('a latency is measured between two events, as the kernel’s documentation does it', async (t) => {
  const { cat, append } = await start(t);
  const write = async (path: string, text: string): Promise<void> => assert.equal(await append(path, text), '');
  await write('synthetic_events', 'between u32 id; u64 lat');
  await write('events/shop/order/trigger', 'hist:keys=id:ts0=common_timestamp.usecs if price == 10');
  await write(
    'events/shop/order/trigger',
    'hist:keys=common_pid:lat=common_timestamp.usecs-$ts0:onmatch(shop.order).between(id,$lat)',
  );
  assert.match(await cat('events/shop/order/trigger'), /^hist:keys=id:vals=hitcount:ts0=common_timestamp.usecs:sort=hitcount/m);
  await write('events/shop/order/trigger', 'hist:keys=customer:vals=price:sort=price.descending');
  const table = async (): Promise<string> => cat('events/shop/order/hist');
  await until(async () => /customer: c1 +\} hitcount: +\d+ {2}price: +\d+\n/.test(await table()), 'customers are counted');
  assert.match(await table(), /\nTotals:\n {4}Hits: \d+\n {4}Entries: \d+\n {4}Dropped: 0\n/);
  assert.match(await append('events/shop/order/trigger', 'hist:keys=nothing'), /EINVAL/);
  assert.match(await cat('error_log'), /hist:shop:order: error: Couldn't find field\n {2}Command: hist:keys=nothing\n {17,}\^/);
});

test('a histogram has the times of its clock: a counting one has no microseconds', async (t) => {
  const { cat, append } = await start(t);
  const hist = 'hist:keys=common_timestamp.usecs:clock=counter';
  assert.equal(await append('events/shop/order/trigger', hist), '');
  assert.match(await cat('trace_clock'), /\[counter\]/);
  const counts = async (): Promise<number[]> =>
    Array.from((await cat('events/shop/order/hist')).matchAll(/common_timestamp: +(\d+) \} hitcount: +1$/gm), ([, count]) =>
      Number(count),
    );
  await until(async () => (await counts()).length > 20, 'orders are counted');
  assert.ok((await counts()).every((count) => count < 100_000));
});

test('FENTRY switches events on from their first call, those that come later too', async (t) => {
  const FENTRY = 'trace_event=shop trace_instance=dear,shop:order trace_trigger="order.stacktrace:1 if price == 40"';
  const { cat } = await start(t, { FENTRY });
  await until(async () => new Set(orders(await cat('trace')).map(({ cpu }) => cpu)).size === 2, 'both threads record');
  const all = orders(await cat('trace'));
  for (const cpu of [0, 1]) assert.equal(all.find((one) => one.cpu === cpu)?.id, 1, `the first order of cpu ${cpu}`);
  assert.ok(orders(await cat('instances/dear/trace')).some(({ id }) => id === 1));
  assert.match(await cat('trace'), /price=40 .*\n(.*order.*\n)*.*<stack trace>\n => sell\n/);
  assert.equal(await cat('events/shop/order/trigger'), 'stacktrace:count=0 if price == 40\n');
});

test('start -e switches events on, with filters and triggers; stat shows them, reset takes them back', async (t) => {
  const { sandbox, cat } = await start(t);
  const said = async (...args: readonly string[]): Promise<string> => (await sandbox.fentry(...args)).stdout;
  const refused = await sandbox.fentry('start', '-e', 'shop:ordr');
  assert.match(refused.stderr, /no event matches -e shop:ordr; did you mean shop:order\?/);
  const { stderr } = await sandbox.fentry(
    'start',
    '-e',
    's?op',
    '-f',
    'price == 40',
    '-R',
    'traceoff:2 if id == 0',
    '-v',
    '-e',
    'gc',
  );
  assert.equal(stderr, '');
  await until(async () => orders(await cat('trace')).length > 2, 'orders are recorded');
  assert.ok(orders(await cat('trace')).every(({ price }) => price === 40));
  const state = await said('stat');
  assert.match(state, /^Tracer: nop\n/);
  assert.match(state, /^Events: shop:order\n/m);
  assert.match(
    state,
    /^Event filters:\n {4}shop:order price == 40\nEvent triggers:\n {4}shop:order traceoff:count=2 if id == 0\n/m,
  );
  assert.equal(await said('list', '-e', 'shop', '-l'), 'shop:order\nprice == 40\n\n');
  assert.match(
    await said('list', '-e', 'shop:*', '-F'),
    /^system: shop\nname: order\nID: \d+\nformat:\n(.*\n)*.*customer;.*\n\n$/,
  );
  assert.match(await said('list', '-e'), /^gc:gc\n(.*\n)*shop:order\n/m);
  await sandbox.fentry('append', 'events/shop/order/trigger', 'hist:keys=customer:c=price');
  await sandbox.fentry('append', 'events/shop/order/trigger', 'enable_event:gc:gc:3 if price == 0');
  assert.equal((await sandbox.fentry('reset')).stderr, '');
  assert.doesNotMatch(await said('stat'), /^Event/m);
  assert.match(await cat('events/shop/order/trigger'), /^# Available triggers:/);
  assert.equal(await cat('events/gc/gc/enable'), '0\n');
});
