import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sandbox, until } from './support/program.js';

const TRACEPOINT = new URL('../../../dist/tracepoint.cjs', import.meta.url).href;

const PROGRAM = `
import tracepoint from '${TRACEPOINT}';
const { registerUserEvent } = tracepoint;
const order = registerUserEvent('order u32 id; char[8] customer; __data_loc char[] note');
registerUserEvent('bare');
let id = 0;
setInterval(() => order(++id, 'Annabella', { urgent: true }), 2);
`;

test('an event that the program describes as text is an event like all others', async (t) => {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start(PROGRAM, {}, 'orders.mjs');
  const client = sandbox.client(program.pid);
  await until(async () => /^u:bare$/m.test(await client.read('dynamic_events')), 'the events are registered');
  assert.equal(await client.read('dynamic_events'), 'u:order u32 id; char[8] customer; __data_loc char[] note\nu:bare\n');
  assert.match(
    await client.read('events/user_events/order/format'),
    /\tfield:u32 id;\toffset:8;\tsize:4;\tsigned:0;\n\tfield:char customer\[8\];\toffset:12;\tsize:8;\tsigned:\d;\n\tfield:__data_loc char\[\] note;\toffset:20;\tsize:4;\tsigned:\d;\n\nprint fmt: "id=%u customer=%s note=%s", REC->id, REC->customer, __get_str\(note\)\n$/,
  );
  assert.equal(await client.read('user_events_status'), '1:order\n2:bare\n\nActive: 2\nBusy: 0\nMax: 32768\n');
  await client.write('events/user_events/order/filter', 'customer == "Annabel"');
  await client.write('events/user_events/order/enable', '1');
  assert.equal(await client.read('user_events_status'), '1:order # Used by ftrace\n2:bare\n\nActive: 2\nBusy: 1\nMax: 32768\n');
  await until(
    async () => /: order: id=\d+ customer=Annabel note=\{urgent: true\}\n/.test(await client.read('trace')),
    'orders are recorded',
  );
  const removal = client.append('dynamic_events', '-:user_events/order');
  await assert.rejects(removal, { errno: 'EBUSY' });
});
