import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { dump } from '../../src/dump/perfetto/perfetto-trace.js';
import { dumpTo } from '../../src/dump/testing/dump-to.js';
import { fdSink } from '../../src/output/trace-dat/index.js';
import { graphEntry, graphExit, PageBuilder } from '../../src/output/trace-dat/testing/page-builder.js';
import { temporaryFolder, writeRecording } from '../../src/output/trace-dat/testing/recording.js';
import { Sandbox } from '../e2e/support/program.js';
import { type Row, TraceProcessor } from '../support/trace-processor.js';

const processor = new TraceProcessor();
const { skip } = processor;
after(() => processor.end());

/** Requests that overlap, each with a file, a timer and coroutines that are suspended more than once. */
const PROGRAM = `
import http from 'node:http';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
async function handle(n) { await sleep(20); await load(n); await null; return n; }
async function load(n) { await readFile(process.argv[1]); return n; }
const server = http.createServer(async (request, response) => { await handle(1); response.end('done'); });
await new Promise((done) => server.listen(0, done));
const get = () => new Promise((done) => http.get({ port: server.address().port, path: '/a' }, (a) => a.resume().on('end', done)));
await Promise.all([get(), get(), get()]);
for (let i = 0; i < 5; i++) await sleep(10);
globalThis.gc();
server.close();
`;

async function traced(t: TestContext): Promise<string> {
  const sandbox = new Sandbox(t);
  const program = sandbox.file('program.mjs', PROGRAM);
  const events = ['http', 'fs', 'sched', 'gc', 'workqueue', 'power', 'kmem:rss_stat'].flatMap((name) => ['-e', name]);
  const command = [process.execPath, '--expose-gc', program];
  const recorded = await sandbox.fentry('record', '-p', 'function_graph', ...events, '-o', 't.dat', '--', ...command);
  assert.equal(recorded.code, 0, recorded.stderr);
  const { code, stderr } = await sandbox.fentry('dump', '--perfetto', '-i', 't.dat', '-o', 't.pftrace');
  assert.equal(code, 0, stderr);
  return join(sandbox.folder, 't.pftrace');
}

const HOUR = 3_600_000;

const numberOf = (rows: readonly Row[]): number => Number(rows[0]!['n']);

test('stretches, flows, contexts and counters are what the recording has', { skip }, async (t) => {
  const [errors, requests, lanes, coroutines, wakeups, contexts, counters, collections, names, places, clocks] =
    await processor.query(await traced(t), [
      `select name, value from stats where severity != 'info' and value > 0`,
      `select s.name, s.dur, extract_arg(s.arg_set_id, 'debug.status') as status from slice s join track t on s.track_id = t.id
         where t.name = 'requests'`,
      `select count(distinct t.id) as n from slice s join track t on s.track_id = t.id where t.name = 'requests'`,
      `select a.name as one, b.name as other, count(*) as n from flow f join slice a on f.slice_out = a.id join slice b on
         f.slice_in = b.id where a.category = 'app' group by 1, 2 order by 1`,
      `select count(*) as n from flow f join slice a on f.slice_out = a.id join slice b on f.slice_in = b.id
         where a.name = 'sched_waking' and b.category = 'context'`,
      `select count(*) as n from track where name glob 'PROMISE-*' or name glob 'Timeout-*'`,
      `select distinct t.name from counter c join counter_track t on c.track_id = t.id order by 1`,
      `select count(*) as n from slice s join track t on s.track_id = t.id where t.name = 'collections' and s.dur > 0`,
      `select p.name from thread t join process p using (upid) where t.is_main_thread and p.pid > 0`,
      `select distinct extract_arg(arg_set_id, 'source.file_name') as file, extract_arg(arg_set_id, 'source.line_number') as line
         from slice where name = 'handle'`,
      `select clock_name as clock, clock_value - ts as since from clock_snapshot where clock_name = 'REALTIME'`,
    ]);
  assert.deepEqual(errors, []);
  assert.deepEqual(
    requests!.map(({ name, status }) => [name, status]),
    Array.from({ length: 3 }, () => ['GET /a', 200]),
  );
  assert.ok(requests!.every(({ dur }) => Number(dur) > 10e6));
  assert.equal(numberOf(lanes!), 3, 'requests that overlap have rows of their own');
  const flows = new Map(coroutines!.map(({ one, other, n }) => [`${one} ${other}`, n]));
  assert.equal(flows.get('handle handle'), 9, 'from each part to the next: three waits of three calls');
  assert.equal(flows.get('load load'), 3);
  assert.ok(numberOf(wakeups!) > 10);
  assert.ok(numberOf(contexts!) > 10);
  assert.deepEqual(
    // The loop of a busy machine may never sleep.
    counters!.map(({ name }) => name).filter((name) => name !== 'event loop utilization'),
    ['external memory', 'handles', 'heap limit', 'heap total', 'heap used', 'thread pool queue'],
  );
  assert.ok(numberOf(collections!) > 0);
  assert.deepEqual(names, [{ name: 'program.mjs' }]);
  assert.deepEqual(places, [{ file: 'program.mjs', line: 5 }]);
  const boot = Date.now() - Number(process.hrtime.bigint()) / 1e6;
  assert.ok(
    clocks!.length > 0 && clocks!.every(({ since }) => Math.abs(Number(since) / 1e6 - boot) < HOUR),
    'the time by the calendar',
  );
});

const T = 1_000_000n;
/** Names of functions; two bytes of the last will be no UTF-8. */
const NAMES = [
  'quote"back\\slash',
  '</script><b>',
  '\u202ert\u0007l',
  '__proto__',
  'a;b,c=d',
  `long${'x'.repeat(900)}`,
  'b\u00e4d~~',
];
const addressOf = (i: number): bigint => 0xffffffff81000000n + BigInt(i) * 256n;

/** A call of each function. */
function hostile(t: TestContext): string {
  const pages = new PageBuilder();
  NAMES.forEach((_, i) => {
    pages.event(T + BigInt(i) * 100n, graphEntry(7, addressOf(i), 0, 0, [`{ x: "\u0000\u2028'${i}" }`]));
    pages.event(
      T + BigInt(i) * 100n + 50n,
      graphExit(7, addressOf(i), 0, T + BigInt(i) * 100n, T + BigInt(i) * 100n + 50n, 0, '"\ud83d"'),
    );
  });
  const lines = [...NAMES, 'end'].map((name, i) => `${addressOf(i).toString(16)} t ${name}\n`);
  const path = writeRecording(temporaryFolder(t), [pages.bytes()], {
    version: '0',
    kallsyms: lines,
    cmdlines: [[7, 'no"de</script>']],
  });
  const bytes = readFileSync(path);
  const at = bytes.indexOf('d~~');
  bytes[at + 1] = 0xff;
  bytes[at + 2] = 0xc0;
  writeFileSync(path, bytes);
  return path;
}

test('names that no viewer expects come through whole', { skip }, async (t) => {
  const path = hostile(t);
  const fd = openSync(`${path}.pftrace`, 'w');
  dumpTo(dump, path, fdSink(fd));
  closeSync(fd);
  const [errors, slices] = await processor.query(`${path}.pftrace`, [
    `select name, value from stats where severity != 'info' and value > 0`,
    'select name, dur from slice order by ts',
  ]);
  assert.deepEqual(errors, []);
  const shown = NAMES.map((name) => name.replace('~~', '\ufffd\ufffd'));
  assert.deepEqual(
    slices,
    shown.map((name) => ({ name, dur: 50 })),
  );
});
