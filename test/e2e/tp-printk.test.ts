import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PRELOAD, Sandbox, until } from './support/program.js';

const TRACEPOINT = new URL('../../../dist/tracepoint.cjs', import.meta.url).href;

const DECLARED = `
import tracepoint from '${TRACEPOINT}';
const { traceEvent, string, symbol, u32 } = tracepoint;
const placed = traceEvent('shop', 'order_placed', {
  args: ['id', 'customer'],
  fields: { id: u32((id) => id), customer: string((_id, customer) => customer), by: symbol(() => place) },
  print: '"id=%u customer=%s by=%pS", REC->id, __get_str(customer), REC->by',
});
function place(id, customer) { placed(id, customer); }
`;

const stamped = (text: string): string => text.replaceAll(/^\[ *\d+\.\d{6}\] /gm, '[TIME] ');

test('with tp_printk a program’s events are on stderr, between its own lines, though it is killed right behind the last', async (t) => {
  const sandbox = new Sandbox(t);
  const file = sandbox.file(
    'orders.mjs',
    `${DECLARED}
console.error('begins');
place(1, 'Ann');
console.error('goes on');
place(2, 'Bob\\u{1F600}');
process.kill(process.pid, 'SIGKILL');
`,
  );
  const { stderr } = await sandbox.run(['--import', PRELOAD, file], { FENTRY: 'tp_printk trace_event=shop:order_placed' });
  assert.equal(
    stamped(stderr),
    `begins
[TIME] order_placed: id=1 customer=Ann by=place+0x0/0x36
goes on
[TIME] order_placed: id=2 customer=Bob😀 by=place+0x0/0x36
`,
  );
});

const EVERY = `${DECLARED}
setInterval(() => place(7, 'Cleo'), 2);
`;

test('tracepoint_printk switches that off and on again; filters, instances and tracing_on hold', async (t) => {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start(EVERY, { FENTRY: 'tp_printk' }, 'orders.mjs');
  let said = '';
  program.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
  });
  const client = sandbox.client(program.pid);
  const prints = (): Promise<void> => {
    said = '';
    return until(async () => /order_placed: id=7/.test(said), 'an order is printed');
  };
  /** A histogram counts the orders; it is not printed. */
  const orders = async (): Promise<number> =>
    Number(/Hits: (\d+)/.exec(await client.read('events/shop/order_placed/hist'))?.[1] ?? 0);
  const tenMore = async (): Promise<void> => {
    const before = await orders();
    await until(async () => (await orders()) > before + 10, 'orders are placed');
  };
  const isSilent = async (): Promise<void> => {
    // What was printed before is read by then.
    await tenMore();
    said = '';
    await tenMore();
    assert.equal(said, '');
  };
  await client.write('events/shop/order_placed/trigger', 'hist:keys=id');
  assert.equal(await client.read('tracepoint_printk'), '1\n');
  await client.mkdir('instances/all');
  await client.write('instances/all/events/shop/order_placed/enable', '1');
  await prints();
  for (const [text, shown] of [
    ['-3', '-3\n'],
    ['5', '5\n'],
  ] as const) {
    await client.write('tracepoint_printk', text);
    assert.equal(await client.read('tracepoint_printk'), shown);
    await prints();
  }
  await assert.rejects(client.write('tracepoint_printk', 'x'), { errno: 'EINVAL' });
  await assert.rejects(client.write('tracepoint_printk', '99999999999'), { errno: 'EINVAL' });
  await client.write('tracepoint_printk', '0');
  await isSilent();
  await client.write('tracepoint_printk', '1');
  await prints();
  await client.write('instances/all/events/shop/order_placed/filter', 'id == 8');
  await isSilent();
  await client.write('instances/all/events/shop/order_placed/filter', '0');
  await prints();
  await client.write('instances/all/tracing_on', '0');
  await isSilent();
});

test('without tp_printk a write to tracepoint_printk has no effect', async (t) => {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start(EVERY, {}, 'orders.mjs');
  const client = sandbox.client(program.pid);
  await client.write('tracepoint_printk', '1');
  assert.equal(await client.read('tracepoint_printk'), '0\n');
});
