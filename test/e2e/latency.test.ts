import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { Sandbox, until } from './support/program.js';

const BUSY = `
function spin(ms) { for (const end = performance.now() + ms; performance.now() < end; ); }
function block() {
  spin(50);
  process.nextTick(function later() { spin(50); });
}
setInterval(block, 150);
setInterval(function tick() {}, 5);
`;

async function busySandbox(t: TestContext, FENTRY = ''): Promise<Sandbox> {
  const sandbox = new Sandbox(t);
  await sandbox.start(BUSY, { FENTRY });
  return sandbox;
}

const read = async (sandbox: Sandbox, file: string): Promise<string> => sandbox.read(file);
const maximum = async (sandbox: Sandbox): Promise<number> => Number(await read(sandbox, 'tracing_max_latency'));

/**
 * The trace of the longest latency, as soon as it is one that matches. The longest may be the turn in which the tracer
 * began, or one that the machine kept waiting: then the search begins anew. A trace is read only when a latency of that
 * length is there, since nothing is recorded while it is read.
 */
async function longest(sandbox: Sandbox, micros: number, wanted: RegExp): Promise<string> {
  let trace = '';
  const isLongest = async (): Promise<boolean> => {
    if ((await maximum(sandbox)) < micros) return false;
    trace = await read(sandbox, 'trace');
    if (wanted.test(trace)) return true;
    await sandbox.fentry('write', 'tracing_max_latency', '0');
    return false;
  };
  await until(isLongest, `the longest latency matches ${wanted}`);
  return trace;
}

test('irqsoff shows the longest turn of the event loop, and the functions that ran in it', async (t) => {
  const sandbox = await busySandbox(t);
  await sandbox.fentry('write', 'current_tracer', 'irqsoff');
  const whole = / 0d\.s\.\. +\d+us.: block <-Timeout\n.*: spin <-block\n.*: later <-TickObject\n.*: spin <-later\n/;
  const trace = await longest(sandbox, 100_000, whole);
  assert.match(trace, /^# irqsoff latency trace v1\.1\.5 on /m);
  assert.match(trace, /^# {2}=> started at: Timeout\n# {2}=> ended at: {3}TickObject\n/m);
  assert.match(trace, /us : <stack trace>\n => TickObject\n$/);
  const [, micros] = /^# latency: (\d+) us/m.exec(trace)!;
  assert.ok(Number(micros) >= 100_000);
});

test('preemptoff shows the longest callback, preemptirqsoff the longest of both', async (t) => {
  const sandbox = await busySandbox(t, 'ftrace=preemptoff ftrace_notrace=spin');
  // A callback of the timer and its nextTick take 50 ms each, and are one turn.
  await longest(
    sandbox,
    50_000,
    /^# tracer: preemptoff\n(?:.*\n)*.*: Timeout\n.* 0d\.s1\. +\d+us.: block <-.*\n.*: Timeout\n.*<stack/,
  );
  await longest(sandbox, 50_000, /: TickObject\n.*: later <-.*\n.*: TickObject\n.* <stack trace>\n => TickObject\n$/);
  await sandbox.fentry('write', 'current_tracer', 'preemptirqsoff');
  await longest(sandbox, 100_000, /^# tracer: preemptirqsoff\n(?:.*\n)*.*: block <-.*\n.*: later <-.*\n/);
});

test('its functions as a graph, or none at all', async (t) => {
  const sandbox = await busySandbox(t, 'ftrace=irqsoff trace_options=display-graph');
  await longest(sandbox, 100_000, /\bblock\(\) \{\n.*spin\(\);\n.*\}/);
  await sandbox.fentry('write', 'options/display-graph', '0');
  await sandbox.fentry('write', 'options/function-trace', '0');
  // The beginning and the end are all that is recorded.
  await longest(
    sandbox,
    100_000,
    /^(?:#.*\n)*.* node-\d+ .*: Timeout\n.* node-\d+ .*: TickObject\n.*: <stack trace>\n => TickObject\n$/,
  );
  assert.equal(await read(sandbox, 'enabled_functions'), '');
});

test('set_ftrace_filter chooses the functions, tracing_thresh the turns', async (t) => {
  const sandbox = await busySandbox(t, 'ftrace=irqsoff ftrace_filter=later');
  assert.doesNotMatch(await longest(sandbox, 100_000, /: later <-/), /: (spin|block)\b/);
  await sandbox.fentry('write', 'tracing_thresh', '100000');
  await sandbox.fentry('write', 'tracing_max_latency', '0');
  await until(async () => (await maximum(sandbox)) >= 100_000, 'a turn above the threshold was kept');
});

test('nothing is measured while tracing is off', async (t) => {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start(`setInterval(() => process.stdout.write('.'), 5);`, { FENTRY: 'ftrace=irqsoff' });
  let turns = '';
  program.stdout!.on('data', (text) => {
    turns += text;
  });
  const someTurns = async (): Promise<void> => {
    const before = turns.length;
    await until(() => turns.length > before + 5, 'the loop went on');
  };
  await until(async () => (await maximum(sandbox)) > 0, 'something was measured');
  await sandbox.fentry('write', 'tracing_on', '0');
  // The turn that ran when tracing went off may still end.
  await someTurns();
  await sandbox.fentry('write', 'tracing_max_latency', '0');
  await someTurns();
  assert.equal(await maximum(sandbox), 0);
});

test('wakeup shows what waited longest, and what ran meanwhile', async (t) => {
  const sandbox = await busySandbox(t);
  await sandbox.fentry('write', 'current_tracer', 'wakeup_dl');
  // The timer of tick waits for block.
  const trace = await longest(sandbox, 50_000, /: +\d+:120:R ==> \[000\] +\d+:255:R Timeout\n$/);
  assert.match(trace, /^# {4}\| task: Timeout-\d+ \(uid:\d+ nice:0 policy:6 rt_prio:0\)$/m);
  assert.match(trace, /<idle>-0 +0d\.{4} +0us.: {8}0:120:R {3}\+ \[000\] +\d+:255:R Timeout\n/);
  await sandbox.fentry('write', 'current_tracer', 'wakeup_rt');
  await longest(sandbox, 1, /task: (TickObject|PROMISE|Timeout)-/);
});

test('each thread has its own longest turn, and with tracing_thresh every one above it; trace shows one', async (t) => {
  const sandbox = new Sandbox(t);
  await sandbox.start(`
const { Worker, isMainThread } = require('node:worker_threads');
function spin(ms) { for (const end = performance.now() + ms; performance.now() < end; ); }
function inMain() { spin(30); }
function inWorker() { spin(60); }
if (isMainThread) {
  new Worker(__filename);
  setInterval(inMain, 100);
} else setInterval(inWorker, 100);
`);
  await sandbox.fentry('write', 'current_tracer', 'irqsoff');
  await longest(sandbox, 60_000, /: (inWorker|inMain) <-Timeout\n/);
  const own = async (cpu: number): Promise<string> => read(sandbox, `per_cpu/cpu${cpu}/trace`);
  const hasBoth = async (): Promise<boolean> =>
    /: inMain <-Timeout/.test(await own(0)) && /: inWorker <-Timeout/.test(await own(1));
  await until(hasBoth, 'each thread shows its own turn');
  assert.match(await own(0), /^# latency: \d+ us, .* CPU#0 \|/m);
  assert.match(await own(1), /^# latency: \d+ us, .* CPU#1 \|/m);

  await sandbox.fentry('write', 'tracing_thresh', '20000');
  const turnsOf = (trace: string): number[] => [...trace.matchAll(/^# latency: (\d+) us/gm)].map(([, us]) => Number(us));
  const hasThree = async (): Promise<boolean> => turnsOf(await own(0)).length >= 3 && turnsOf(await own(1)).length >= 3;
  await until(hasThree, 'each keeps several turns');
  for (const cpu of [0, 1]) for (const us of turnsOf(await own(cpu)).slice(1)) assert.ok(us >= 20_000);
  assert.equal(turnsOf(await read(sandbox, 'trace')).length, 1);
});

test('without functions, a turn above tracing_thresh names what it was seen in, on each thread', async (t) => {
  const sandbox = new Sandbox(t);
  await sandbox.start(`
const { Worker, isMainThread } = require('node:worker_threads');
function spin(ms) { for (const end = performance.now() + ms; performance.now() < end; ); }
function inMain() { spin(300); }
function inWorker() { spin(300); }
if (isMainThread) {
  new Worker(__filename);
  setInterval(inMain, 400);
} else setInterval(inWorker, 400);
`);
  await sandbox.fentry('write', 'options/function-trace', '0');
  await sandbox.fentry('write', 'tracing_thresh', '40000');
  await sandbox.fentry('write', 'current_tracer', 'irqsoff');
  const sees = (cpu: number, name: string) => async (): Promise<boolean> =>
    new RegExp(`: Timeout\\n.*<stack trace>\\n => spin\\n => ${name}\\n`).test(await read(sandbox, `per_cpu/cpu${cpu}/trace`));
  await until(sees(0, 'inMain'), 'the stack of a turn of the main thread');
  await until(sees(1, 'inWorker'), 'the stack of a turn of the worker');
  assert.equal(await read(sandbox, 'enabled_functions'), '');
});

test('nop gives the options back, and the program runs on without hooks', async (t) => {
  const sandbox = await busySandbox(t);
  const options = await read(sandbox, 'trace_options');
  await sandbox.fentry('write', 'current_tracer', 'irqsoff');
  assert.match(await read(sandbox, 'trace_options'), /^latency-format$/m);
  assert.notEqual((await sandbox.fentry('write', 'options/overwrite', '0')).code, 0);
  await sandbox.fentry('write', 'current_tracer', 'nop');
  const after = await read(sandbox, 'trace_options');
  assert.equal(after, options);
  assert.equal(await read(sandbox, 'enabled_functions'), '');
});

test('hwlat finds the time in which nothing ran, on the threads of the program and on one of its own', async (t) => {
  const sandbox = await busySandbox(t);
  await sandbox.fentry('write', 'hwlat_detector/width', '20000');
  await sandbox.fentry('write', 'hwlat_detector/window', '40000');
  // Any time at all between two readings of the clock, as no gap is certain to come.
  await sandbox.fentry('write', 'current_tracer', 'hwlat');
  await sandbox.fentry('write', 'tracing_thresh', '1');
  const sample = (task: string): RegExp =>
    new RegExp(`${task}-\\d+ +\\[\\d{3}\\] \\.{5} .*: #\\d+ +inner/outer\\(us\\): +\\d+/\\d+ +ts:\\d{10}\\.\\d{9} count:\\d+`);
  await until(async () => sample(' node').test(await read(sandbox, 'trace')), 'the main thread found a gap');
  await sandbox.fentry('write', 'hwlat_detector/mode', 'none');
  await until(async () => sample('hwlatd').test(await read(sandbox, 'trace')), 'the sampler of its own found one');
  await sandbox.fentry('write', 'current_tracer', 'nop');
  assert.equal(await read(sandbox, 'tracing_thresh'), '0\n');
});

/**
 * A program whose first run takes longer than all that came before, and no later turn comes. It prints how long it took, in
 * microseconds.
 */
const FIRST_RUN = `
function spin(ms) { for (const end = performance.now() + ms; performance.now() < end; ); }
const ms = Math.ceil(performance.now());
spin(ms);
console.log(ms * 1000);
setInterval(() => {}, 2 ** 30);
`;

for (const [name, source] of [
  ['program.cjs', FIRST_RUN],
  ['program.mjs', `await null;\n${FIRST_RUN}`],
] as const) {
  test(`the first run of ${name} is a turn too`, async (t) => {
    const sandbox = new Sandbox(t);
    const program = await sandbox.start(source, { FENTRY: 'ftrace=irqsoff' }, name);
    const [micros] = await once(program.stdout!, 'data');
    await until(async () => (await maximum(sandbox)) >= Number(micros), 'it has been measured');
    assert.match(await read(sandbox, 'trace'), /: spin( |\n)/);
  });
}
