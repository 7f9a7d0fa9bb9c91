import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { ProfileAnswer } from '../../src/answers/profile/profile-answer.js';
import { DUMP_FORMATS } from '../../src/dump/dump-formats.js';
import { dumpedRecording } from '../../src/dump/dumped-recording.js';
import { EXIT_SUSPENDED } from '../../src/events/ftrace-events.js';
import { compile, noTracing } from '../../src/native/testing/programs.js';
import { fdSink, printProfile, report } from '../../src/output/trace-dat/index.js';
import { isFentrys } from '../../src/output/trace-dat/is-fentrys.js';
import { openTraceDat } from '../../src/output/trace-dat/open.js';
import { graphEntry, graphExit, PageBuilder, printRecord } from '../../src/output/trace-dat/testing/page-builder.js';
import { temporaryFolder, writeRecording } from '../../src/output/trace-dat/testing/recording.js';
import { Sandbox, until } from '../e2e/support/program.js';
import { TraceProcessor } from '../support/trace-processor.js';
import {
  keyOf,
  readBusiestOfSpeedscope,
  readChrome,
  readCpuProfile,
  readParquet,
  readPerfetto,
  readPprof,
  readSpeedscope,
  type Sums,
  type Viewed,
} from '../support/viewed-calls.js';
import { samples, unpack } from './samples.js';

const processor = new TraceProcessor();
const { skip } = processor;
after(() => processor.end());

/** Dumps a recording in each format; the paths by the formats' options. */
async function dumpAll(path: string): Promise<Readonly<Record<string, string>>> {
  const files: Record<string, string> = {};
  for (const { option, load } of DUMP_FORMATS) {
    const open: number[] = [];
    const sinkTo = (name: string): ReturnType<typeof fdSink> => {
      files[name] = `${path}.${name}`;
      const fd = openSync(files[name], 'w');
      open.push(fd);
      return fdSink(fd);
    };
    const sink = sinkTo(option);
    const { dump } = await load();
    dump(dumpedRecording(path, undefined, {}), {
      write: (bytes) => sink.write(bytes),
      beside: (ending) => sinkTo(`${option}${ending}`),
    });
    for (const fd of open) closeSync(fd);
  }
  return files;
}

function textOf(print: (sink: { write(bytes: Uint8Array): boolean }) => unknown): string {
  const pieces: Buffer[] = [];
  print({ write: (bytes) => pieces.push(Buffer.from(bytes)) > 0 });
  return Buffer.concat(pieces).toString('utf8');
}

/** The functions as `report --profile` counts them, and the events as `report` prints them. */
function reported(path: string): Viewed {
  const profile = textOf((sink) => printProfile(path, undefined, { order: 'name', json: true }, sink));
  const functions = new Map<string, Sums>();
  for (const { name, package: of, place, calls, self, running } of (JSON.parse(profile) as ProfileAnswer).functions) {
    functions.set(keyOf(of === undefined ? name : `${name} [${of}]`, place?.file, place?.line), { calls, self, running });
  }
  const events = new Map<string, number>();
  const lines = textOf((sink) => report(path, {}, sink)).split('\n');
  for (const line of lines) {
    const [, name] = /^(?: +\w+: +| +)?.*-\d+ +\[\d+\] +(?:\S+ +)?[\d.]+: +(\w+):/.exec(line) ?? [];
    if (name === undefined || /^(funcgraph_(entry|exit)|function)$/.test(name)) continue;
    events.set(name, (events.get(name) ?? 0) + 1);
  }
  return { functions, events };
}

const sorted = <Value>(map: ReadonlyMap<string, Value>): readonly (readonly [string, Value])[] =>
  [...map].sort(([a], [b]) => (a < b ? -1 : 1));

/** Some of the sums of the functions that have any. */
const only = (functions: ReadonlyMap<string, Sums>, ...kinds: readonly (keyof Sums)[]): unknown =>
  sorted(functions)
    .map(([name, sums]) => [name, ...kinds.map((kind) => sums[kind])])
    .filter(([, ...values]) => values.some((value) => value !== 0));

const byName = (events: ReadonlyMap<string, number>): unknown =>
  sorted(new Map([...events].map(([name, n]) => [name.replace(/^\S+?:/, ''), n])));

/** Checks that all formats have the functions and events of a recording; returns these. */
async function checkAll(path: string): Promise<Viewed> {
  const expected = reported(path);
  const files = await dumpAll(path);
  const dat = openTraceDat(path);
  dat.file.close();
  const systems = new Set(dat.formats.map(({ system }) => system));
  const perfetto = await readPerfetto(processor, files['perfetto']!, systems);
  const chrome = readChrome(readFileSync(files['chrome']!, 'utf8'), systems);
  const parquet = await readParquet(files['parquet']!, files['parquet.events.parquet']!);
  const speedscope = readSpeedscope(readFileSync(files['speedscope']!, 'utf8'));
  assert.deepEqual(only(parquet.functions, 'calls', 'self'), only(expected.functions, 'calls', 'self'), 'parquet');
  assert.deepEqual(only(readPprof(files['pprof']!), 'calls', 'self'), only(expected.functions, 'calls', 'self'), 'pprof');
  const isKernels = !isFentrys(dat);
  for (const [name, { functions }] of Object.entries({ perfetto, chrome })) {
    // A kernel's task may sleep in a call: its end says by how much the beginning, which was told before, is too early.
    const kinds = name === 'perfetto' && isKernels ? (['calls'] as const) : (['calls', 'self', 'running'] as const);
    assert.deepEqual(only(functions, ...kinds), only(expected.functions, ...kinds), name);
  }
  if (!isKernels && !hasUnfinished(path))
    assert.deepEqual(only(speedscope, 'self', 'running'), only(expected.functions, 'self', 'running'), 'speedscope');
  const cpuProfile = only(readCpuProfile(readFileSync(files['cpuprofile']!, 'utf8')), 'self', 'running');
  const busiest = readBusiestOfSpeedscope(readFileSync(files['speedscope']!, 'utf8')).map((one) => only(one, 'self', 'running'));
  assert.deepEqual(cpuProfile, busiest.find((one) => isDeepStrictEqual(one, cpuProfile)) ?? busiest[0] ?? [], 'cpuprofile');
  for (const [name, { events }] of Object.entries({ perfetto, chrome, parquet })) {
    assert.deepEqual(byName(events), sorted(expected.events), name);
  }
  return expected;
}

/** Whether there are calls without an end: speedscope has no way to say so. */
function hasUnfinished(path: string): boolean {
  let isThere = false;
  dumpedRecording(path, undefined, {}).walk({
    begin() {},
    end() {},
    unfinished() {
      isThere = true;
    },
  });
  return isThere;
}

async function recorded(t: TestContext, source: string, ...options: readonly string[]): Promise<string> {
  const sandbox = new Sandbox(t);
  const program = sandbox.file('program.mjs', source);
  const { code, stderr } = await sandbox.fentry('record', '-o', 't.dat', ...options, '--', process.execPath, program);
  assert.equal(code, 0, stderr);
  return join(sandbox.folder, 't.dat');
}

const GRAPH = ['-p', 'function_graph'] as const;
const eventOptions = (...systems: readonly string[]): readonly string[] => systems.flatMap((system) => ['-e', system]);

const SHOP = `
import http from 'node:http';
import { createApp } from ${JSON.stringify(pathToFileURL(resolve('examples/shop/app.mjs')).href)};
import { openDatabase } from ${JSON.stringify(pathToFileURL(resolve('examples/shop/database.mjs')).href)};
const server = createApp(await openDatabase()).listen(0, async () => {
  const get = (path) => new Promise((done) => http.get({ port: server.address().port, path }, (a) => a.resume().on('end', done)));
  for (const path of ['/items', '/items/7', '/orders/1', '/nowhere']) await Promise.all([get(path), get(path)]);
  server.close();
});
`;

/** A tokenizer, a parser and a printer, deep and recursive; errors that are thrown through frames; generators. */
const COMPILER = `
function* tokens(text) { for (const [word] of text.matchAll(/\\d+|[-+*()]/g)) yield word; }
class Parser {
  constructor(text) { this.words = [...tokens(text)]; this.at = 0; }
  take() { return this.words[this.at++]; }
  sum() { let left = this.product(); while (/[-+]/.test(this.words[this.at])) left = { op: this.take(), left, right: this.product() }; return left; }
  product() { let left = this.atom(); while (this.words[this.at] === '*') left = { op: this.take(), left, right: this.atom() }; return left; }
  atom() {
    const word = this.take();
    if (word === '(') { const inner = this.sum(); if (this.take() !== ')') this.fail('expected )'); return inner; }
    if (!/^\\d/.test(word)) this.fail('unexpected ' + word);
    return Number(word);
  }
  fail(text) { throw new SyntaxError(text); }
}
function evaluate(node) {
  if (typeof node === 'number') return node;
  const [a, b] = [evaluate(node.left), evaluate(node.right)];
  return node.op === '+' ? a + b : node.op === '-' ? a - b : a * b;
}
function compile(text) { try { return evaluate(new Parser(text).sum()); } catch (error) { return error.message; } finally { done(); } }
function done() {}
const deep = '('.repeat(60) + '1+2*3' + ')'.repeat(60);
for (let i = 0; i < 20; i++) for (const text of ['1+2*(3-4)', deep, '2*(3', ')', '7']) compile(text);
`;

/** Coroutines that interleave, in two threads, with marks. */
const THREADS = `
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker, isMainThread } from 'node:worker_threads';
async function handle(n) { parse(n); await sleep(1); await load(n); await null; return parse(n); }
async function load(n) { for await (const x of rows(n)) parse(x); }
async function* rows(n) { for (let i = 0; i < n; i++) { await null; yield fib(i); } }
function parse(n) { try { if (n > 2) fail(n); return n; } catch { return -1; } }
function fail(n) { throw new RangeError(n); }
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
await Promise.all([3, 5, 7].map(handle));
if (isMainThread) await new Promise((resolve) => new Worker(new URL(import.meta.url)).on('exit', resolve));
`;

test('the shop: calls, requests, files, contexts and counters are the same in all formats', { skip }, async (t) => {
  const options = eventOptions(
    'http',
    'fs',
    'sched',
    'gc',
    'workqueue',
    'timer',
    'irq',
    'net',
    'syscalls',
    'power',
    'kmem:rss_stat',
  );
  const { functions, events } = await checkAll(await recorded(t, SHOP, ...GRAPH, ...options));
  assert.ok(functions.size > 50, `${functions.size} functions`);
  assert.equal(events.get('server_request_start'), 8);
  assert.ok(events.size > 15, [...events.keys()].join(', '));
});

test('a compiler: recursion, generators and errors are the same in all formats', { skip }, async (t) => {
  const { functions } = await checkAll(await recorded(t, COMPILER, ...GRAPH, '-O', 'funcgraph-args', '-O', 'funcgraph-retval'));
  const compiled = [...functions].find(([name]) => name.startsWith('compile '));
  assert.equal(compiled?.[1].calls, 100);
});

test('workers, coroutines and exceptions are the same in all formats', { skip }, async (t) => {
  const { events } = await checkAll(await recorded(t, THREADS, ...GRAPH, ...eventOptions('exceptions', 'cpuhp')));
  assert.equal(events.get('caught_exception'), 20);
});

test('tasks that are async contexts are the same in all formats', { skip }, async (t) => {
  await checkAll(await recorded(t, THREADS, ...GRAPH, '-O', 'async-context', ...eventOptions('sched')));
});

test('calls without times, of the tracer function, are the same in all formats', { skip }, async (t) => {
  const { functions } = await checkAll(await recorded(t, COMPILER, '-p', 'function'));
  assert.ok([...functions].some(([name, { calls }]) => name.startsWith('evaluate ') && calls > 100));
});

test('with tracing_thresh, which records no entries, all formats have the same calls', { skip }, async (t) => {
  const sandbox = new Sandbox(t);
  const source = `
function slow(n) { const end = performance.now() + 2; while (performance.now() < end); return n; }
function outer(n) { return slow(n) + slow(n); }
for (let i = 0; i < 3; i++) outer(i);
setInterval(() => {}, 1000);
`;
  const child = await sandbox.start(source, { FENTRY: 'ftrace=function_graph tracing_thresh=1000' }, 'threshold.mjs');
  const client = sandbox.client(child.pid);
  await until(async () => ((await client.read('trace')).match(/\/\* outer \*\//g) ?? []).length >= 3, 'three calls were slow');
  const extract = await sandbox.fentry('extract', '--pid', String(child.pid), '-o', 't.dat');
  assert.equal(extract.code, 0, extract.stderr);
  const { functions } = await checkAll(join(sandbox.folder, 't.dat'));
  assert.ok([...functions].some(([name, { calls }]) => name.startsWith('outer ') && calls === 3));
});

const MAIN = 0xffffffff81000000n;
const F = 0xffffffff81000100n;
const G = 0xffffffff81000200n;
const T = 1_000_000n;
const KALLSYMS = [
  'ffffffff81000000 t main\nffffffff81000100 t Class.f\t[express]\nffffffff81000200 t g\nffffffff81000300 t end\n',
];

test('lost events, calls without a beginning or an end and marks are the same in all formats', { skip }, async (t) => {
  const pages = new PageBuilder()
    .event(T, graphEntry(7, MAIN, 0))
    .event(T + 10n, graphEntry(7, F, 1))
    .event(T + 20n, printRecord(7, MAIN, 'a mark'))
    .event(T + 30n, graphExit(7, F, 1, T + 10n, T + 30n))
    .event(T + 35n, graphEntry(7, G, 1))
    .missed(9)
    .event(T + 5000n, graphExit(7, MAIN, 0, T, T + 5000n))
    .event(T + 5100n, graphEntry(7, G, 0))
    .event(T + 5200n, graphExit(7, F, 1, T + 5150n, T + 5200n, EXIT_SUSPENDED, ''))
    .event(T + 5300n, graphExit(7, G, 0, T + 5100n, T + 5300n))
    .missed('unknown')
    .event(T + 6000n, graphEntry(7, G, 0))
    .event(T + 6001n, graphEntry(7, F, 1));
  const path = writeRecording(temporaryFolder(t), [pages.bytes()], { version: '0', kallsyms: KALLSYMS, cmdlines: [[7, 'node']] });
  const { events } = await checkAll(path);
  assert.equal(events.get('print'), 1);
});

test('recordings of a real kernel are the same in all formats', { skip }, async (t) => {
  const folder = temporaryFolder(t);
  for (const sample of samples().filter(({ name }) => ['graph', 'function', 'marker', 'lost'].includes(name))) {
    await t.test(sample.name, async () => void (await checkAll(unpack(sample, folder))));
  }
});

test('machine code is the same in all formats', { skip: skip || noTracing }, async (t) => {
  const sandbox = new Sandbox(t);
  const program = compile(
    t,
    `#include <stdio.h>
__attribute__((noipa)) long fib(long n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main(void) { return fib(12) != 144; }`,
    ['-fpatchable-function-entry=5'],
  );
  const { code, stderr } = await sandbox.fentry(
    'record',
    '--native',
    '-p',
    'function_graph',
    '-l',
    'fib',
    '-o',
    't.dat',
    '--',
    program,
  );
  assert.equal(code, 0, stderr);
  const { functions } = await checkAll(join(sandbox.folder, 't.dat'));
  assert.equal([...functions][0]?.[1].calls, 465);
});
