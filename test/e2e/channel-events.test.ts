import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sandbox, until } from './support/program.js';

const PROGRAM = `
const { channel } = require('node:diagnostics_channel');
const { isMainThread, Worker } = require('node:worker_threads');
const orders = channel('app:orders/placed.v1');
let id = 0;
function order() {
  if (!orders.hasSubscribers) return;
  id++;
  orders.publish(id % 5 === 0 ? { id: 'none', note: 'later' } : { id, customer: 'Ann', price: 1.5, paid: true });
}
setInterval(order, 2);
if (isMainThread && process.argv[2] === 'worker') new Worker(__filename);
process.on('SIGUSR2', () => process.exit(orders.hasSubscribers ? 1 : 0));
`;
const EVENT = 'events/diagnostics_channel/app_orders_placed_v1';

test('a channel that is found becomes an event, whose fields are those of its first message', async (t) => {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start(PROGRAM);
  const client = sandbox.client(program.pid);
  const names = async (): Promise<string[]> => (await client.list('events/diagnostics_channel')).map(({ name }) => name);
  assert.equal((await names()).includes('app_orders_placed_v1'), false);
  await client.write('events/diagnostics_channel/channel/enable', '1');
  await until(async () => (await names()).includes('app_orders_placed_v1'), 'the channel is found');
  await client.write('events/diagnostics_channel/channel/enable', '0');
  assert.match(await client.read('trace'), /: channel: app:orders\/placed\.v1 event=app_orders_placed_v1\n/);

  assert.match(await client.read(`${EVENT}/format`), /common_pid;.*\n\n\nprint fmt: ""\n$/);
  await assert.rejects(client.write(`${EVENT}/trigger`, 'hist:keys=customer'), { errno: 'EINVAL' });
  await assert.rejects(client.append('dynamic_events', 'e:x diagnostics_channel/app_orders_placed_v1'), { errno: 'ENODEV' });
  await client.write(`${EVENT}/filter`, `common_pid == ${program.pid}`);
  await client.write(`${EVENT}/enable`, '1');
  await until(async () => (await client.read(`${EVENT}/format`)).includes('field:s64 id;'), 'a message comes');
  assert.match(
    await client.read(`${EVENT}/format`),
    /\tfield:s64 id;.*\n\tfield:__data_loc char\[\] customer;.*\n\tfield:__data_loc char\[\] price;.*\n\tfield:bool paid;.*\n\tfield:__data_loc char\[\] misfit;.*\n\nprint fmt: "id=%lld customer=%s price=%s paid=%d%s", REC->id, /,
  );
  assert.equal(await client.read(`${EVENT}/enable`), '1\n');
  assert.equal(await client.read(`${EVENT}/filter`), `common_pid == ${program.pid}\n`);
  await until(async () => (await client.read('trace')).includes('misfit'), 'a message does not fit');
  const lines = [...(await client.read('trace')).matchAll(/: app_orders_placed_v1: (.*)\n/g)].map(([, text]) => text!);
  // The message that gave the fields is there, and each behind it.
  assert.deepEqual(
    lines,
    lines.map((_, i) =>
      (i + 1) % 5 === 0
        ? 'id=0 customer=(null) price=(null) paid=0 (misfit: id is none, customer missing, price missing, paid missing, note added)'
        : `id=${i + 1} customer=Ann price=1.5 paid=1`,
    ),
  );

  await client.write(`${EVENT}/filter`, 'customer == "Ann" && id > 3');
  await client.write(`${EVENT}/trigger`, 'hist:keys=customer:vals=id');
  await until(async () => /\{ customer: Ann *\} hitcount: *\d+ {2}id:/.test(await client.read(`${EVENT}/hist`)), 'it is counted');
  await client.append(`${EVENT}/trigger`, '!hist:keys=customer:vals=id');
  await client.write(`${EVENT}/enable`, '0');
  program.kill('SIGUSR2');
  const code = await new Promise((resolve) => program.once('exit', resolve));
  assert.equal(code, 0, 'the channel has no subscriber left');
});

test('a worker records a channel that another thread has found, with the same fields', async (t) => {
  const sandbox = new Sandbox(t);
  const file = sandbox.file('program.cjs', PROGRAM);
  const program = await sandbox.start(`process.argv[2] = 'worker'; require(${JSON.stringify(file)});`, {}, 'main.cjs');
  const client = sandbox.client(program.pid);
  await client.write('events/diagnostics_channel/channel/enable', '1');
  await until(async () => (await client.read('trace')).includes('event=app_orders_placed_v1'), 'the channel is found');
  await client.write('events/diagnostics_channel/channel/enable', '0');
  await client.write(`${EVENT}/enable`, '1');
  const records = async (cpu: number): Promise<string> => client.read(`per_cpu/cpu${cpu}/trace`);
  for (const cpu of [0, 1]) {
    await until(async () => /: app_orders_placed_v1: id=\d+ customer=Ann/.test(await records(cpu)), `cpu ${cpu} records`);
  }
  assert.equal((await client.read('trace')).includes('Unknown type'), false);
});

test('what FENTRY asks of a channel holds from its first message on', async (t) => {
  const sandbox = new Sandbox(t);
  const asked =
    'trace_event=diagnostics_channel:channel,diagnostics_channel:app_orders_placed_v1 "trace_trigger=app_orders_placed_v1.hist:keys=customer"';
  const program = await sandbox.start(PROGRAM, { FENTRY: asked });
  const client = sandbox.client(program.pid);
  await until(async () => (await client.read('trace')).includes('app_orders_placed_v1: id='), 'messages are recorded');
  assert.match(await client.read('trace'), /: app_orders_placed_v1: id=1 customer=Ann price=1.5 paid=1\n/);
  await until(async () => /\{ customer: Ann/.test(await client.read(`${EVENT}/hist`)), 'messages are counted');
});
