import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as later } from 'node:timers/promises';
import { Sandbox, until } from './support/program.js';

/** A program in which everything happens, and that ends if a built-in looks other than at its start. */
const PROGRAM = `
const assert = require('node:assert');
const { channel } = require('node:diagnostics_channel');
const { Worker } = require('node:worker_threads');
const texts = () => [console.log, Buffer.alloc, process.emit, Worker.prototype.terminate].map(Function.prototype.toString.call, Function.prototype.toString);
const before = texts();
const ticks = channel('app.ticks');
let n = 0;
let kept = [];
function allocate() { kept = [Buffer.alloc(2000), Buffer.from('small')]; }
function deliver() { throw new TypeError('no address'); }
function swallow() { try { deliver(); } catch {} }
function tick() {
  n++;
  swallow();
  allocate();
  console.log('tick %d', n);
  ticks.publish({ n });
  for (let i = 0; i < 30_000; i++) kept.push({ i });
  assert.deepEqual(texts(), before);
}
setInterval(tick, 10);
setInterval(() => new Worker('process.exitCode = 3', { eval: true }), 200);
setInterval(function load() {
  delete require.cache[require.resolve('./loaded.cjs')];
  require('./loaded.cjs');
}, 20);
process.on('unhandledRejection', () => {});
setInterval(() => Promise.reject(new RangeError('far')), 20);
`;

const start = async (t: TestContext) => {
  const sandbox = new Sandbox(t);
  sandbox.file('loaded.cjs', 'exports.n = 1;\n');
  await sandbox.start(PROGRAM, {});
  const cat = (path: string): Promise<string> => sandbox.read(path);
  const write = async (path: string, text: string): Promise<void> => {
    const { code, stderr } = await sandbox.fentry('append', path, text);
    assert.equal(code, 0, stderr);
  };
  const shows = (line: RegExp): Promise<void> => until(async () => line.test(await cat('trace')), String(line));
  return { sandbox, cat, write, shows };
};

test('what happens in Node is recorded while its events are enabled', async (t) => {
  const { sandbox, cat, write, shows } = await start(t);
  const systems = ['cpuhp', 'exceptions', 'gc', 'kmem', 'module', 'printk'];
  for (const system of systems) await write(`events/${system}/enable`, '1');
  await shows(/ console: tick \d+$/m);
  await shows(
    / kmalloc: call_site=allocate\+0x\w+\/0x\w+ ptr=\w{16} bytes_req=2000 bytes_alloc=2000 gfp_flags=GFP_KERNEL_ACCOUNT\|__GFP_ZERO node=-1 accounted=true$/m,
  );
  await shows(
    / kmalloc: call_site=allocate\+\S+ ptr=\w+ bytes_req=5 bytes_alloc=8 gfp_flags=GFP_KERNEL node=-1 accounted=false$/m,
  );
  await shows(/ rss_stat: mm_id=0 curr=1 type=MM_HEAPUSED size=\d+B$/m);
  await shows(/ gc: kind=[a-z-]+ flags=\S+ start=\d+\.\d{6} duration=\d+ns heap_before=\d+B heap_after=\d+B$/m);
  await shows(/ module_load: \S+\/loaded\.cjs size=15 time=\d+ns$/m);
  await shows(/ caught_exception: TypeError: no address at=\/\S+:\d+:\d+ catcher=swallow\+0x\w+\/0x\w+$/m);
  await shows(/ unhandled_rejection: RangeError: far promise=\d+ at=\/\S+:\d+:\d+ rejecter=\S+ maker=\S+$/m);
  await shows(/ cpuhp_enter: cpu: 0001 target: {3}2 step: {3}1 \(\S+\) worker: \d+$/m);
  await shows(/ cpuhp_exit: {2}cpu: 0001 {2}state: {3}0 step: {3}2 ret: 3 worker: \d+$/m);
  for (const system of systems) await write(`events/${system}/enable`, '0');
  await until(async () => {
    await sandbox.fentry('clear');
    await later(100);
    return !/^[^#]/m.test(await cat('trace'));
  }, 'nothing is recorded any more');
});

test('the kernel’s example of a trigger finds who allocates', async (t) => {
  const { write, shows, cat } = await start(t);
  await write('events/kmem/kmalloc/trigger', 'stacktrace:5 if bytes_req >= 512');
  await shows(/<stack trace>\n => allocate\n => tick\n/);
  await until(
    async () => (await cat('events/kmem/kmalloc/trigger')) === 'stacktrace:count=0 if bytes_req >= 512\n',
    'it fired five times',
  );
  // The count goes down before the stack is in the buffer.
  const stacks = async (): Promise<number> => (await cat('trace')).match(/<stack trace>/g)?.length ?? 0;
  await until(async () => (await stacks()) >= 5, 'the fifth is there');
  assert.equal(await stacks(), 5);
});

test('a channel of the program becomes an event once channels are watched', async (t) => {
  const { sandbox, write, shows } = await start(t);
  const events = async (): Promise<string> => (await sandbox.fentry('ls', 'events/diagnostics_channel')).stdout;
  assert.match(await events(), /^http_server_request_start\/?$/m);
  assert.doesNotMatch(await events(), /app_ticks/);
  await write('events/diagnostics_channel/channel/enable', '1');
  await until(async () => /^app_ticks\/?$/m.test(await events()), 'the event is there');
  await shows(/ channel: app\.ticks event=app_ticks$/m);
  await write('events/diagnostics_channel/app_ticks/enable', '1');
  await shows(/ app_ticks: n=\d+$/m);
});
