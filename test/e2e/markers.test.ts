import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { DEFAULT_SUBBUF_BYTES, PageCursor } from '../../src/ring-buffer/index.js';
import { PRELOAD, Sandbox, until } from './support/program.js';

const MARKING = `
import { traceMarker, traceMarkerRaw } from '${PRELOAD}';
function beat() {}
traceMarker('ready');
traceMarkerRaw(0xbeef, new Uint8Array([1, 2, 3, 4]));
try { traceMarkerRaw(1, new Uint8Array(3069)); } catch (error) { traceMarker(error.errno); }
setInterval(beat, 2);
`;

test('a program writes marks and data into its own trace', async (t) => {
  const sandbox = new Sandbox(t);
  await sandbox.start(MARKING, {}, 'marking.mjs');
  const trace = (): Promise<string> => sandbox.read('trace');
  await until(async () => /EINVAL/.test(await trace()), 'all marks are there');
  assert.deepEqual(
    [...(await trace()).matchAll(/: (tracing_mark_write: \w+|# .*)$/gm)].map(([, what]) => what),
    ['tracing_mark_write: ready', '# beef buf: 01 02 03 04', 'tracing_mark_write: EINVAL'],
  );
});

test('closing free_buffer frees the buffers of a program that goes on, and stops tracing if it is to', async (t) => {
  const sandbox = new Sandbox(t);
  await sandbox.start(MARKING, { FENTRY: 'ftrace=function ftrace_filter=beat' }, 'marking.mjs');
  const read = (path: string): Promise<string> => sandbox.read(path);
  assert.equal((await sandbox.fentry('write', 'free_buffer', 'x')).code, 0);
  assert.equal(await read('buffer_size_kb'), '7\n');
  await until(async () => /: beat <-/.test(await read('trace')), 'the small buffer is written to');
  await sandbox.fentry('write', 'options/disable_on_free', '1');
  await sandbox.fentry('write', 'free_buffer', 'x');
  assert.equal(await read('tracing_on'), '0\n');
});

test('a function with the command dump prints the buffers to the program’s stderr', async (t) => {
  const sandbox = new Sandbox(t);
  const child = await sandbox.start(MARKING, {}, 'marking.mjs');
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  assert.equal((await sandbox.fentry('write', 'set_ftrace_filter', 'beat:dump:1')).code, 0);
  await until(() => /^Dumping ftrace buffer:\n-{33}\n(.*\n)+-{33}\n/m.test(stderr), 'the dump is there');
  assert.match(stderr, /: tracing_mark_write: ready\n/);
});

test('triggers of marks run for marks from outside and of the program', async (t) => {
  const sandbox = new Sandbox(t);
  await sandbox.start(
    `import { traceMarker } from '${PRELOAD}'; setInterval(() => traceMarker('from inside'), 5);`,
    {},
    'marking.mjs',
  );
  const cat = (path: string): Promise<string> => sandbox.read(path);
  const append = async (path: string, text: string): Promise<void> =>
    assert.equal((await sandbox.fentry('append', path, text)).stderr, '');
  const trigger = 'events/ftrace/print/trigger';

  await append('synthetic_events', 'latency u64 lat');
  await append(trigger, 'hist:keys=common_cpu:ts0=common_timestamp.usecs if buf ~ "start*"');
  await append(
    trigger,
    'hist:keys=common_cpu:lat=common_timestamp.usecs-$ts0:onmatch(ftrace.print).latency($lat) if buf ~ "end*"',
  );
  await append('events/synthetic/latency/trigger', 'hist:keys=common_pid.execname if lat > 0');
  await append('events/synthetic/latency/enable', '1');
  for (const mark of ['start', 'other', 'end']) await append('trace_marker', mark);
  assert.match(await cat('events/synthetic/latency/hist'), /^\{ common_pid: \S+ +\[ *\d+\] \} hitcount: {10}1$/m);
  assert.match(await cat('trace'), /: tracing_mark_write: end\n(.*inside\n)*.*: latency: lat=\d+$/m);

  await append(trigger, 'hist:keys=ip.sym if buf == "from inside"');
  await until(
    async () => /\{ ip: \[\w+\] tracing_mark_write +\} hitcount: +\d+$/m.test(await cat('events/ftrace/print/hist')),
    'the program’s marks are counted',
  );
  await append(trigger, 'traceoff if buf == "from inside"');
  await until(async () => (await cat('tracing_on')) === '0\n', 'a mark of the program switches tracing off');
  await append(trigger, '!traceoff');
  await append('tracing_on', '1');

  await append(trigger, 'stacktrace:1 if buf ~ "where*"');
  await append(trigger, 'snapshot:1 if buf ~ "kept*"');
  await append('trace_marker', 'where');
  await append('trace_marker', 'kept');
  await append('trace_marker', 'later');
  assert.match(
    await cat('snapshot'),
    /: tracing_mark_write: where\n(.*inside\n)*.*<stack trace>\n => tracing_mark_write\n(.*\n)*.*: tracing_mark_write: kept\n/,
  );
  assert.doesNotMatch(await cat('trace'), /: tracing_mark_write: kept\n/);
  assert.match(await cat('trace'), /: tracing_mark_write: later\n/);
});

const TWO_THREADS = `
const { Worker, isMainThread } = require('node:worker_threads');
if (isMainThread) new Worker(__filename);
function beat() {}
setInterval(beat, 2);
`;

test('a mark from outside belongs to a cpu that is there, in the order of time', async (t) => {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start(TWO_THREADS, { FENTRY: 'ftrace=function ftrace_filter=beat' });
  const client = sandbox.client(program.pid);
  const beats = async (cpu: number): Promise<number> => {
    const [, entries] = /^entries: (\d+)/.exec(await client.read(`per_cpu/cpu${cpu}/stats`)) ?? [];
    return Number(entries);
  };
  const moreBeats = async (): Promise<void> => {
    const before = await beats(0);
    await until(async () => (await beats(0)) > before, 'the main thread goes on');
  };
  await until(async () => /\[001\]/.test(await client.read('trace')), 'the worker is traced');
  await client.write('trace_marker', 'one');
  await moreBeats();
  await client.write('trace_marker', 'two');
  await moreBeats();
  await client.write('tracing_cpumask', '2');
  await client.write('trace_marker', 'three');
  await client.write('tracing_cpumask', '3');
  await client.write('tracing_on', '0');

  assert.deepEqual((await client.list('per_cpu')).map(({ name }) => name).sort(), ['cpu0', 'cpu1']);
  const trace = await client.read('trace');
  assert.match(trace, /#P:2\n/);
  const marks = [...trace.matchAll(/\[(\d+)\].*tracing_mark_write: (\w+)/g)].map(([, cpu, text]) => [cpu, text]);
  assert.deepEqual(marks, [
    ['000', 'one'],
    ['000', 'two'],
    ['001', 'three'],
  ]);
  const between = /: one\n((?:.*\n)*?).*: two\n/.exec(await client.read('per_cpu/cpu0/trace'))?.[1] ?? '';
  assert.match(between, /: beat <-/);

  const events = await beats(0);
  const pages = await buffer(await client.openNow('per_cpu/cpu0/trace_pipe_raw'));
  const times = timesOf(pages);
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  );
  assert.equal(times.length, events);
  assert.ok(pages.indexOf('one') > 0 && pages.indexOf('one') < pages.indexOf('two'));
  assert.equal(await beats(0), 0, 'all of the cpu was read');
});

function timesOf(pages: Buffer): number[] {
  const words = new Uint32Array(Uint8Array.from(pages).buffer);
  const times: number[] = [];
  for (let page = 0; page < pages.length; page += DEFAULT_SUBBUF_BYTES) {
    const cursor = new PageCursor().open(words, page);
    while (cursor.next()) times.push(cursor.ts);
  }
  return times;
}

const PRINTING = `
import { traceMarker, tracePrintk } from '${PRELOAD}';
function takeOrder(id, name) { tracePrintk('order %d of %s%5.1f%%', id, name, 2.25); }
takeOrder(7, 'Ann');
let n = 0;
setInterval(function beat() { tracePrintk('beat %d\\n', n++); traceMarker('mark'); }, 2);
`;

test('tracePrintk writes in the name of its caller, and obeys tracing_on and the options', async (t) => {
  const sandbox = new Sandbox(t);
  await sandbox.start(PRINTING, {}, 'printing.mjs');
  const trace = (): Promise<string> => sandbox.read('trace');
  const isThere = (pattern: RegExp, what: string) => until(async () => pattern.test(await trace()), what);
  await isThere(/: beat: beat 1\n/, 'the beats are there');
  assert.match(await trace(), /: takeOrder: order 7 of Ann {2}2.3%\n/);
  await sandbox.fentry('write', 'options/trace_printk', '0');
  await sandbox.fentry('write', 'trace', '');
  await isThere(/: tracing_mark_write: mark\n/, 'marks go on');
  assert.doesNotMatch(await trace(), /beat/);
  await sandbox.fentry('write', 'options/trace_printk', '1');
  await sandbox.fentry('write', 'options/markers', '0');
  await sandbox.fentry('write', 'trace', '');
  await isThere(/: beat: beat \d+\n/, 'prints go on');
  assert.doesNotMatch(await trace(), /tracing_mark_write/);
  await sandbox.fentry('write', 'options/printk-msg-only', '1');
  await isThere(/^beat \d+\n/m, 'only the message is shown');
  assert.doesNotMatch(await trace(), /: beat: beat/);
});
