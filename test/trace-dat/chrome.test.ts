import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Sandbox, until } from '../e2e/support/program.js';

/**
 * Async functions that interleave, a generator, an exception, recursion; a worker, and a child process with a worker of its own.
 */
const PROGRAM = `
import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker, isMainThread } from 'node:worker_threads';
async function handle(n) { parse(n); await sleep(2); await load(n); render(n); return n; }
async function load(n) { for await (const x of rows(n)) parse(x); }
async function* rows(n) { for (let i = 0; i < n; i++) { await null; yield fib(i); } }
function* items() { yield parse(1); yield* [parse(2), 3]; }
function parse(n) { return String(n); }
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
function render(n) { try { fail(n); } catch { return slow(fib(9)); } }
function fail(n) { throw new RangeError(n); }
function slow(n) { const end = Date.now() + 3; while (Date.now() < end); return n; }
await Promise.all([3, 5, 7].map(handle));
for (const item of items()) render(item);
if (isMainThread) {
  await new Promise((resolve) => new Worker(new URL(import.meta.url)).on('exit', resolve));
  if (process.argv[2] !== 'child') spawnSync(process.execPath, [process.argv[1], 'child']);
}
`;

interface Event {
  readonly ph: string;
  readonly name: string;
  readonly cat?: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur: number;
  readonly args?: Readonly<Record<string, unknown>>;
}

/** Checks a document by the rules of the Trace Event Format; returns its events. */
function checked(text: string): readonly Event[] {
  const { traceEvents } = JSON.parse(text) as { traceEvents: readonly Event[] };
  const threads = new Map<string, Event[]>();
  const names = new Set<string>();
  for (const event of traceEvents) {
    assert.ok(Number.isInteger(event.pid) && event.name !== '', JSON.stringify(event));
    if (event.args !== undefined) assert.notDeepEqual(event.args, {});
    if (event.ph === 'M') {
      names.add(event.name === 'process_name' ? `${event.pid}` : `${event.pid}/${event.tid}`);
      continue;
    }
    assert.ok(event.ph === 'X' || event.ph === 'i', `phase ${event.ph}: begins and ends come as one`);
    assert.ok(Number.isFinite(event.ts) && event.ts >= 0 && event.cat !== undefined && event.cat !== '', JSON.stringify(event));
    if (event.ph === 'i') continue;
    assert.ok(Number.isFinite(event.dur) && event.dur >= 0, JSON.stringify(event));
    const key = `${event.pid}/${event.tid}`;
    assert.ok(names.has(key) && names.has(String(event.pid)), `${key} was named before`);
    if (!threads.has(key)) threads.set(key, []);
    threads.get(key)!.push(event);
  }
  for (const events of threads.values()) checkNesting(events);
  return traceEvents;
}

/** Checks times, which are doubles: a call ends with its caller or before, and before the next one begins. */
function checkNesting(events: readonly Event[]): void {
  const open: Event[] = [];
  // Those that begin together and are as long came callee first.
  const sorted = [...events].reverse().sort((a, b) => a.ts - b.ts || b.dur - a.dur);
  for (const event of sorted) {
    while (open.length > 0 && open.at(-1)!.ts + open.at(-1)!.dur <= event.ts && event.ts > open.at(-1)!.ts) open.pop();
    while (open.length > 0 && open.at(-1)!.dur === 0 && event.dur > 0) open.pop();
    const caller = open.at(-1);
    if (caller !== undefined) {
      assert.ok(event.ts + event.dur <= caller.ts + caller.dur, `${JSON.stringify(event)} ends behind ${JSON.stringify(caller)}`);
    }
    open.push(event);
  }
}

async function dumped(sandbox: Sandbox, ...options: readonly string[]): Promise<readonly Event[]> {
  const program = sandbox.file('program.mjs', PROGRAM);
  const record = await sandbox.fentry('record', '-o', 'c.dat', ...options, '--', process.execPath, program);
  assert.equal(record.code, 0, record.stderr);
  const { code, stderr } = await sandbox.fentry('dump', '--chrome', '-i', 'c.dat', '-o', 'c.json');
  assert.equal(code, 0, stderr);
  return checked(readFileSync(join(sandbox.folder, 'c.json'), 'utf8'));
}

const namesOf = (events: readonly Event[]): readonly string[] => [
  ...new Set(events.filter(({ ph }) => ph === 'X').map(({ name }) => name)),
];
/** Processes by pid, with how many threads each has. */
function threadsOf(events: readonly Event[]): readonly (readonly [name: string, threads: number])[] {
  const processes = events.filter(({ name }) => name === 'process_name');
  return processes.map(({ pid, args }) => {
    const threads = events.filter((event) => event.name === 'thread_name' && event.pid === pid);
    assert.equal(new Set(threads.map(({ tid }) => tid)).size, threads.length, 'each thread has an id of its own');
    return [String(args!['name']), threads.length];
  });
}

test('coroutines, exceptions, threads and processes: every call lies inside its caller', async (t) => {
  const events = await dumped(new Sandbox(t), '-O', 'funcgraph-args', '-O', 'funcgraph-retval');
  const threads = threadsOf(events);
  assert.deepEqual(
    threads.map(([, count]) => count),
    [2, 2],
  );
  for (const name of ['handle', 'load', 'rows', 'items', 'fib', 'fail']) assert.ok(namesOf(events).includes(name), name);
  assert.ok(events.some(({ args }) => args?.['suspended'] === true));
  assert.ok(events.some(({ name, args }) => name === 'fib' && args?.['args'] === '9' && args['ret'] === '34'));
});

test('where tasks are async contexts, processes and threads have their names all the same', async (t) => {
  const plain = threadsOf(await dumped(new Sandbox(t)));
  const events = await dumped(new Sandbox(t), '-O', 'async-context');
  assert.deepEqual(threadsOf(events), plain);
  assert.doesNotMatch(JSON.stringify(events.filter(({ ph }) => ph === 'M')), /PROMISE|idle|<\.\.\.>/);
});

test('with tracing_thresh, which records no entries, calls have their times and lie inside their callers', async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file('program.mjs', PROGRAM);
  const env = { FENTRY: 'ftrace=function_graph tracing_thresh=1000' };
  const source = `
process.argv[2] = 'child';
await import(${JSON.stringify(`file://${program}`)});
setInterval(() => {}, 1000);
`;
  const child = await sandbox.start(source, env, 'threshold.mjs');
  const client = sandbox.client(child.pid);
  await until(async () => ((await client.read('trace')).match(/\/\* render \*\//g) ?? []).length >= 3, 'three calls were slow');
  const extract = await sandbox.fentry('extract', '--pid', String(child.pid), '-o', 'c.dat');
  assert.equal(extract.code, 0, extract.stderr);
  const { stdout } = await sandbox.fentry('dump', '--chrome', '-i', 'c.dat');
  const calls = checked(stdout).filter(({ ph }) => ph === 'X');
  const slow = calls.filter(({ name }) => name === 'slow');
  const render = calls.filter(({ name }) => name === 'render');
  assert.ok(slow.length >= 3 && render.length >= 3);
  for (const { dur } of [...slow, ...render]) assert.ok(dur >= 1000, `${dur} us`);
  const flames = await sandbox.fentry('dump', '--flame-graph', '-i', 'c.dat');
  assert.match(flames.stdout, /;render \(program\.mjs:\d+\);slow \(program\.mjs:\d+\) \d/);
});
