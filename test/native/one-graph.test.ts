import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { TraceClient } from '../../src/client/trace-client.js';
import { LocalProcess } from '../../src/native/addon/local-process.js';
import { Sandbox, until } from '../e2e/support/program.js';
import { buildAddon } from './call-twice-addon.js';
import { changedObjects } from './changed-objects.js';
import { lacks, noTracing, textRefusal } from './native-machine.js';

/**
 * For each line, a turn: the fs binding and libuv, the addon and its callback, an exception that goes through the addon, a
 * worker.
 */
const PROGRAM = `
const { readSync, openSync, closeSync } = require('node:fs');
const { Worker, isMainThread, parentPort } = require('node:worker_threads');
const { createInterface } = require('node:readline');
const addon = { exports: {} };
process.dlopen(addon, process.env.ADDON);
const { callTwice } = addon.exports;
function opens() { closeSync(openSync(__filename)); }
function inner(depth) { return JSON.parse('{"depth": 7}').depth; }
function doubles() { return callTwice(inner); }
function deeper() { throw new RangeError('thrown'); }
function fails() { deeper(); }
function between() { return callTwice(fails); }
function thrown() { try { return callTwice(between); } catch (error) { return error.message + after(); } }
function after() { return openSync(__filename + '.none', 'r'); }
function swallowed() { try { thrown(); } catch (error) { return error.code; } }
async function later() { opens(); await null; opens(); return 'later'; }
function located() { return new Error('here').stack.match(/at (\\w+)/)[1]; }
function turn() { opens(); return [doubles(), swallowed()].join(); }
if (isMainThread) {
  const worker = new Worker(__filename);
  worker.on('message', (text) => console.log(text));
  createInterface({ input: process.stdin }).on('line', async (line) => {
    if (line === 'worker') worker.postMessage('turn');
    else if (line === 'later') console.log(await later());
    else if (line === 'located') console.log(located());
    else console.log(turn());
  });
  worker.once('online', () => console.log('ready'));
} else parentPort.on('message', () => parentPort.postMessage(turn()));
`;

const OPEN = ['opens() {', '  uv_fs_open [node]();', '  uv_fs_close [node]();', '}'];
const AFTER = ['after() {', '  uv_fs_open [node]();', '} /* after unwound */'];
const INNER = ['inner();', 'inner();'];
const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);
const call = (name: string, lines: readonly string[], end = '}'): string[] => [`${name}() {`, ...indented(lines), end];
const twice = (lines: readonly string[]): string[] => call('call_twice [addon.node]', lines);
const thrownBy = (name: string, lines: readonly string[]): string[] => call(name, lines, `} /* ${name} unwound */`);

const TURN = call('turn', [
  ...OPEN,
  ...call('doubles', twice(INNER)),
  ...call(
    'swallowed',
    thrownBy('thrown', [...twice(thrownBy('between', twice(thrownBy('fails', ['deeper(); /* unwound */'])))), ...AFTER]),
  ),
]);
const LATER = [...call('later', OPEN, '} /* later suspended */'), 'later() { /* resumed */', ...indented(OPEN), '}'];
const ANSWER = '7,ENOENT';
const FUNCTIONS = 'turn opens doubles inner thrown after swallowed between fails deeper later uv_fs_open uv_fs_close call_twice';

/** Functions of V8; without c++filt names are as the compiler has them. */
const V8 = lacks('c++filt') ? '_ZN2v88internal*' : 'v8.internal.';
const RUNTIME = ['Runtime_*', '*Elements*', 'Builtin_HandleApi*', 'LookupIterator*'].map((name) => V8 + name).join(' ');

/** The calls of a graph, without cpus, times and durations. */
const calls = (trace: string): string[] =>
  trace
    .split('\n')
    .filter((line) => !line.startsWith('#') && line.includes('|'))
    .map((line) => line.replace(/^[^|]*\| {2}/, ''));

/** The lines of a trace from `turn() {` to its end, of its cpu. */
function turnOf(trace: string): readonly string[] {
  const lines = trace.split('\n');
  const cpu = lines.find((line) => / turn\(\) \{$/.test(line))!.split(')')[0]!;
  const own = calls(lines.filter((line) => line.startsWith(`${cpu})`)).join('\n'));
  const start = own.findIndex((line) => / *turn\(\) \{$/.test(line));
  const end = own.findIndex((line, i) => i > start && line === `${/^ */.exec(own[start]!)![0]}}`);
  return own.slice(start, end + 1);
}

/** The lines that are not as deep as the open calls before them say. */
function misplaced(lines: readonly string[]): readonly string[] {
  let open = /^ */.exec(lines[0]!)![0].length / 2;
  return lines.filter((line) => {
    const [indent] = /^ */.exec(line)!;
    const isEnd = line.startsWith('}', indent.length);
    if (isEnd) open--;
    const isWrong = indent.length !== 2 * open;
    if (!isEnd && /[{]( \/\*.*)?$/.test(line)) open++;
    return isWrong;
  });
}

interface OneProcess {
  readonly pid: number;
  readonly files: TraceClient;
  readonly folder: string;
  ask(line: string): Promise<string>;
}

/** CLOCK_MONOTONIC in seconds, to whole microseconds as the trace has it. */
const monotonic = (): number => Number(process.hrtime.bigint() / 1000n) / 1e6;

/** Clocks, what they show, and how a trace has it. The last one is that which the test goes on with. */
const CLOCKS: readonly (readonly [clock: string, now: () => number, pattern: RegExp])[] = [
  ...(process.arch === 'x64' ? [['x86-tsc', () => Number(new LocalProcess().rdtsc()), / (\d+): /g] as const] : []),
  ['local', monotonic, / (\d+\.\d{6}): /g],
];

/** The program, with fentry tracing both its JavaScript and its native text. */
async function traced(t: TestContext): Promise<OneProcess> {
  const sandbox = new Sandbox(t);
  const { addon } = buildAddon(sandbox);
  // Without a cache, in which fentry stores files on the program's thread some time later: the graph would show that.
  const child = await sandbox.start(PROGRAM, { FENTRY: 'native', ADDON: addon, FENTRY_CACHE: '' });
  let output = '';
  child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  child.stderr!.on('data', (chunk) => t.diagnostic(String(chunk)));
  await until(() => output.endsWith('ready\n'), 'the worker runs');
  const ask = async (line: string): Promise<string> => {
    output = '';
    child.stdin!.write(`${line}\n`);
    await until(() => output.endsWith('\n'), `the program has answered ${line}`);
    return output.trim();
  };
  return { pid: child.pid, files: sandbox.client(child.pid), folder: sandbox.folder, ask };
}

describe('JavaScript and native text in one graph', { skip: noTracing || textRefusal() }, () => {
  it('draws calls of both in each other, in every thread, and leaves the text as it was', async (t) => {
    const { pid, files, folder, ask } = await traced(t);
    await files.read('available_filter_functions');
    const THREADS = ['turn', 'worker'];
    for (const thread of THREADS) assert.equal(await ask(thread), ANSWER);
    // What V8 calls when compiled code meets something for the first time, as fentry's own does now.
    await files.write('set_ftrace_filter', `${FUNCTIONS} ${RUNTIME}`);
    await files.write('current_tracer', 'function_graph');
    assert.equal(await ask('turn'), ANSWER);
    const cold = turnOf(await files.read('trace'));
    assert.ok(cold.length > TURN.length, 'functions of V8 were called');
    assert.deepEqual(misplaced(cold), []);

    await files.write('current_tracer', 'nop');
    await files.write('set_ftrace_filter', FUNCTIONS);
    await files.write('current_tracer', 'function_graph');
    const changed = changedObjects(pid);
    for (const object of ['addon.node', basename(process.execPath)]) assert.ok(changed.includes(object), object);

    for (const thread of [...THREADS, ...THREADS]) assert.equal(await ask(thread), ANSWER);
    const lines = (await files.read('trace')).split('\n').filter((line) => line.includes('|'));
    const cpuOf = (line: string): string => line.slice(0, line.indexOf(')'));
    const cpus = [...new Set(lines.filter((line) => !line.startsWith('#')).map(cpuOf))];
    assert.deepEqual(
      cpus.map((cpu) => calls(lines.filter((line) => cpuOf(line) === cpu).join('\n'))),
      THREADS.map(() => [...TURN, ...TURN]),
    );

    await files.write('trace', '');
    assert.equal(await ask('later'), 'later');
    assert.deepEqual(calls(await files.read('trace')), LATER);

    // V8 walks the stack while the function that it has called itself is followed.
    await files.write('set_ftrace_filter', 'located *Builtin_ErrorConstructor*');
    await files.write('trace', '');
    assert.equal(await ask('located'), 'located');
    const located = calls(await files.read('trace')).map((line) => line.replace(/\S+Builtin_Error\S+/, 'ERROR'));
    assert.deepEqual(located, ['located() {', '  ERROR [node]();', '}']);

    await files.write('set_ftrace_filter', FUNCTIONS);
    if (process.arch === 'x64') {
      // Both sides read the time stamp counter, and show its counts.
      await files.write('trace_clock', 'x86-tsc');
      assert.equal(await files.read('trace_clock'), 'local global counter uptime perf mono boot [x86-tsc]\n');
    } else await assert.rejects(files.write('trace_clock', 'x86-tsc'), /time stamp counter/);
    for (const thread of THREADS) assert.equal(await ask(thread), ANSWER);
    assert.deepEqual(turnOf(await files.read('trace')), TURN);
    await files.write('current_tracer', 'function');
    for (const [clock, now, pattern] of CLOCKS) {
      await files.write('trace_clock', clock);
      const before = now();
      assert.equal(await ask('turn'), ANSWER);
      const after = now();
      const times = [...(await files.read('trace')).matchAll(pattern)].map(([, time]) => Number(time));
      assert.ok(times.length >= TURN.length / 2, 'calls of both were recorded');
      for (const [i, time] of times.entries()) {
        const least = times[i - 1] ?? before;
        assert.ok(least <= time && time <= after, `${clock}: ${least} <= ${time} <= ${after}`);
      }
    }

    await files.write('current_tracer', 'nop');
    assert.deepEqual(changedObjects(pid), []);
    assert.equal(await ask('turn'), ANSWER);

    const patch = join(folder, 'patch.cjs');
    writeFileSync(patch, "exports.located = () => 'patched';");
    await files.write('livepatch/load', `patch ${patch}`);
    await until(async () => (await files.read('livepatch/patch/transition')) === '0\n', 'all cpus have gone over');
    assert.equal(await ask('located'), 'patched');
  });
});
