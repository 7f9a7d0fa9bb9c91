import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { noTraceCmd, traceCmd } from '../trace-dat/trace-cmd.js';
import { CLI, Sandbox, until } from './support/program.js';

const TRACEPOINT = JSON.stringify(new URL('../../../dist/tracepoint.cjs', import.meta.url).pathname);

/** A shop, and a child with the same library, which declares its events in another order and ships parcels with other fields. */
const PROGRAM = `
const { fork } = require('node:child_process');
const t = require(${TRACEPOINT});
const isChild = process.argv[2] === 'child';
const declare = {
  sold: () => t.traceEvent('shop', 'sold', {
    args: ['o'],
    fields: {
      id: t.u32((o) => o.id), delta: t.s64((o) => -o.id), small: t.s16((o) => o.id * 100), flags: t.u8((o) => o.id & 3), kind: t.int((o) => o.id % 3),
      code: t.fixedString(8, (o) => 'code' + o.id), name: t.string((o) => o.name),
      sizes: t.array('u16', 3, (o) => [o.id, 2, 3]), prices: t.dynamicArray('u32', (o) => new Array(o.id).fill(o.id * 7)),
      by: t.pointer((o) => 4096 + o.id),
    },
    print: '"id=%u delta=%lld small=%hd flags=%s kind=%s code=%s name=%s sizes=%s prices=%s by=%p", REC->id, REC->delta, REC->small, ' +
      '__print_flags(REC->flags, "|", { 1, "GIFT" }, { 2, "FAST" }), __print_symbolic(REC->kind, { 0, "cash" }, { 1, "card" }), REC->code, ' +
      '__get_str(name), __print_array(REC->sizes, 3, 2), __print_array(__get_dynamic_array(prices), __get_dynamic_array_len(prices) / 4, 4), REC->by',
  }),
  ship: () => t.traceEvent('shop', 'ship', isChild
    ? { args: ['n'], fields: { n: t.u64((n) => n) }, print: '"n=%llu", REC->n' }
    : { args: ['n'], fields: { n: t.u32((n) => n) }, print: '"n=%u", REC->n' }),
};
const trace = {};
for (const name of isChild ? ['ship', 'sold'] : ['sold', 'ship']) trace[name] = declare[name]();
function pack() { return Buffer.alloc(123456); }
function sell() {
  for (let id = 1; id <= 5; id++) {
    trace.sold({ id, name: (isChild ? 'child' : 'parent') + id });
    trace.ship(id);
  }
  pack();
}
sell();
if (process.argv[2] === 'serve') setInterval(sell, 20);
else if (!isChild) fork(__filename, ['child']);
`;

const lines = (text: string): readonly string[] => text.split('\n').map((line) => line.trimEnd());

/** What follows the name of the event in each line. */
const valuesOf = (report: string, event: string): readonly string[] =>
  Array.from(report.matchAll(new RegExp(`: ${event}: +(.*)`, 'g')), ([, values]) => values!.trimEnd());

test('a recording of two processes has each of their events, and trace-cmd prints the same', { skip: noTraceCmd }, async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file('shop.cjs', PROGRAM);
  const file = join(sandbox.folder, 't.dat');
  const events = ['-e', 'shop', '-e', 'kmem:kmalloc', '-f', 'bytes_req == 123456'];
  const { code, stderr } = await sandbox.fentry('record', ...events, '-o', file, '--', process.execPath, program);
  assert.equal(code, 0, stderr);
  const report = (await sandbox.fentry('report', '-i', file)).stdout;
  const sold = valuesOf(report, 'sold');
  assert.equal(sold.length, 10);
  assert.match(
    sold[4]!,
    /^id=5 delta=-5 small=500 flags=GIFT kind=0x2 code=code5 name=parent5 sizes=5 2 3 prices=35 35 35 35 35 by=0x1005$/,
  );
  assert.match(sold[7]!, /^id=3 delta=-3 small=300 flags=GIFT\|FAST kind=cash code=code3 name=child3 /);
  const numbers = ['n=1', 'n=2', 'n=3', 'n=4', 'n=5'];
  assert.deepEqual(valuesOf(report, 'ship'), numbers);
  assert.deepEqual(valuesOf(report, 'ship_2'), numbers);
  assert.equal([...report.matchAll(/kmalloc: +call_site=pack\+0x/g)].length, 2, report);
  // Its plugin for kmem puts the caller in front of the line a second time.
  const { status, stdout } = traceCmd('report', '-N', '-i', file);
  assert.equal(status, 0);
  assert.deepEqual(lines(report), lines(stdout));
});

test('a running program is recorded with its events, and extracted with them', async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file('shop.cjs', PROGRAM);
  const child = sandbox.spawn(['--import', new URL('../../../dist/index.js', import.meta.url).href, program, 'serve']);
  const client = sandbox.client(child.pid!);
  const isDeclared = async (): Promise<boolean> => (await client.read('available_events').catch(() => '')).includes('shop:ship');
  await until(isDeclared, 'the events are declared');
  const { stderr } = await sandbox.fentry(
    'record',
    '--pid',
    String(child.pid),
    '-e',
    'shop:ship',
    '-o',
    'live.dat',
    'sleep',
    '1',
  );
  assert.match(stderr, / events, 0 lost/);
  assert.ok(valuesOf((await sandbox.fentry('report', '-i', 'live.dat')).stdout, 'ship').includes('n=5'));
  assert.equal(await client.read('set_event'), '');
  await sandbox.fentry('start', '-e', 'shop:sold', '-f', 'id == 2');
  await until(async () => (await client.read('trace')).includes('id=2'), 'an order is recorded');
  assert.equal((await sandbox.run([CLI, 'extract', '-o', 'x.dat'])).code, 0);
  const sold = valuesOf((await sandbox.fentry('report', '-i', 'x.dat')).stdout, 'sold');
  assert.ok(sold.length > 0 && sold.every((values) => values.startsWith('id=2 ')), sold.join('\n'));
});
