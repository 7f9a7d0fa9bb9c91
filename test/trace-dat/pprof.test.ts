import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { Profile } from 'pprof-format';
import { Sandbox } from '../e2e/support/program.js';

const PROGRAM = `
import http from 'node:http';
function fill(n) { return Buffer.alloc(n, 1); }
function answer(n) { return fill(n).length; }
const kept = [];
function objects() { for (let i = 0; i < 60000; i++) kept.push({ i, text: 'x' + i }); }
const server = http.createServer((request, response) => { response.end(String(answer(Number(request.url.slice(1))))); });
await new Promise((done) => server.listen(0, done));
const get = (path) => new Promise((done) => http.get({ port: server.address().port, path }, (a) => a.resume().on('end', done)));
await get('/10000');
await get('/20000');
objects();
await new Promise((done) => setTimeout(done, 1500));
server.close();
`;

interface Sample {
  readonly names: readonly string[];
  readonly values: Readonly<Record<string, number>>;
  readonly labels: Readonly<Record<string, string>>;
}

/** The samples with names instead of numbers, the outermost function first. */
function samplesOf(path: string): readonly Sample[] {
  const profile = Profile.decode(gunzipSync(readFileSync(path)));
  const { strings } = profile.stringTable;
  const text = (index: number | bigint): string => strings[Number(index)]!;
  const functions = new Map(profile.function.map(({ id, name }) => [id, text(name)]));
  const locations = new Map(profile.location.map(({ id, line }) => [id, functions.get(line[0]!.functionId)!]));
  return profile.sample.map(({ locationId, value, label }) => ({
    names: locationId.map((id) => locations.get(id)!).reverse(),
    values: Object.fromEntries(profile.sampleType.map(({ type }, i) => [text(type), Number(value[i])])),
    labels: Object.fromEntries(label.map(({ key, str }) => [text(key), text(str)])),
  }));
}

test('a profile for pprof has allocations by stack, and the routes of requests', async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file('program.mjs', PROGRAM);
  const names = [
    'kmem:kmalloc',
    'kmem:heap_sample',
    'http:server_request_start',
    'sched:sched_switch',
    'sched:sched_process_fork',
  ];
  const events = names.flatMap((name) => ['-e', name]);
  const record = await sandbox.fentry(
    'record',
    '-p',
    'function_graph',
    ...events,
    '-o',
    't.dat',
    '--',
    process.execPath,
    program,
  );
  assert.equal(record.code, 0, record.stderr);
  for (const format of ['pprof', 'parquet']) {
    const { code, stderr } = await sandbox.fentry('dump', `--${format}`, '-i', 't.dat', '-o', `t.${format}`);
    assert.equal(code, 0, stderr);
  }
  const samples = samplesOf(join(sandbox.folder, 't.pprof'));
  const filled = samples.filter(({ names: stack }) => stack.at(-1) === 'fill');
  assert.deepEqual(
    filled.map(({ labels }) => labels['route']),
    ['GET /:id'],
  );
  for (const { names: stack, values } of filled) {
    assert.deepEqual(stack.slice(-2), ['answer', 'fill']);
    assert.ok(values['alloc_space']! >= 30_000 && values['calls'] === 2, JSON.stringify(values));
  }
  const file = await asyncBufferFromFile(join(sandbox.folder, 't.events.parquet'));
  const rows = (await parquetReadObjects({ file })).filter(({ event }) => event === 'kmalloc' || event === 'heap_sample');
  const bytes = rows.reduce((sum, { fields }) => {
    const { bytes_alloc, bytes: sampled } = JSON.parse(String(fields)) as { bytes_alloc?: number; bytes?: number };
    return sum + Number(bytes_alloc ?? sampled);
  }, 0);
  const sum = (kind: string): number => samples.reduce((all, { values }) => all + values[kind]!, 0);
  assert.deepEqual([sum('alloc_objects'), sum('alloc_space')], [rows.length, bytes]);
  assert.ok(
    samples.some(({ names: stack, values }) => stack.length === 1 && stack[0] === 'objects' && values['alloc_space']! > 0),
    'V8 has sampled the objects',
  );
});
