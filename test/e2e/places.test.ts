import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sandbox, until } from './support/program.js';

const PROGRAM = `
function target(n) { return n + 1; }
function work(n) {
  return [n].map((x) => target(x)).length;
}
setInterval(function tick() { work(1); }, 10);
`;

/** A graph of one turn, without times. */
const graphOf = (trace: string): string[] =>
  trace.split('\n').flatMap((line) => /^ *\d+\).*?\| {2}( *\S.*)$/.exec(line)?.[1] ?? []);

test('with the option places, a trace shows where functions are; without it, it is the kernel’s', async (t) => {
  const sandbox = new Sandbox(t);
  await sandbox.start(PROGRAM);
  const read = async (file: string): Promise<string> => sandbox.read(file);
  const set = (path: string, text: string) => sandbox.fentry('write', path, text);
  assert.match(await read('trace_options'), /^noplaces$/m);

  await sandbox.fentry('start', '-p', 'function', '-l', 'target', '-O', 'func_stack_trace');
  await until(async () => / => tick\n/.test(await read('trace')), 'there is a stack');
  assert.match(await read('trace'), /: target <-work\.map@4\n/);
  await set('options/places', '1');
  const trace = await read('trace');
  assert.match(trace, /: target \(program\.cjs:2\) <-work\.map@4 \(program\.cjs:4\)\n/);
  const frames = [
    'target (program.cjs:2)',
    'work.map@4 (program.cjs:4)',
    'map (v8:built-in)',
    'work (program.cjs:4)',
    'tick (program.cjs:6)',
  ];
  assert.ok(trace.includes(frames.map((frame) => ` => ${frame}\n`).join('')), trace);

  await sandbox.fentry('start', '-p', 'function_graph', '-g', 'tick', '-O', 'funcgraph-args', '-O', 'places');
  await until(async () => graphOf(await read('trace')).length >= 7, 'there is a graph');
  assert.deepEqual(graphOf(await read('trace')).slice(0, 3), [
    'tick() { /* program.cjs:6 */',
    '  work(n=1) { /* program.cjs:3 */',
    '    work.map@4(x=1) { /* program.cjs:4 */',
  ]);
  await sandbox.fentry('start', '-p', 'function_graph', '-l', 'tick', '--min-duration', '1us', '-O', 'places');
  await until(async () => graphOf(await read('trace')).length > 0, 'a call has ended');
  assert.equal(graphOf(await read('trace'))[0], '} /* tick */ /* program.cjs:6 */', 'only ends are recorded');

  await set('kprobe_events', 'p:mine/hit target');
  await set('events/mine/hit/trigger', 'hist:keys=stacktrace');
  const hist = async () => read('events/mine/hit/hist');
  await until(async () => / target\+0x/.test(await hist()), 'the histogram has a stack');
  assert.match(await hist(), / target\+0x[\da-f/x]+ \(program\.cjs:2\)\s+work\.map@4\+0x[\da-f/x]+ \(program\.cjs:4\)/);
});

test('a callback of Node’s of which only the name is known has no place', async (t) => {
  const sandbox = new Sandbox(t);
  await sandbox.start('setInterval(function tick() { AbortSignal.timeout(1e6); setTimeout(tick, 1e6); }, 10);');
  await sandbox.fentry('start', '-e', 'timer:timer_start', '-O', 'places');
  let trace = '';
  await until(async () => /=anonymous/.test((trace = await sandbox.read('trace'))), 'there are timers');
  assert.match(trace, / function=tick \(program\.cjs:1\) expires=/);
  assert.match(trace, / function=anonymous expires=/);
  assert.doesNotMatch(await sandbox.read('kallsyms_places'), /anonymous/);
  assert.match(await sandbox.read('functions_without_sites'), /^anonymous\t\?\?:0:0\t/m);
});

test('stacks in report have places, and all functions with -O places; fentry stack has them', async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file('once.cjs', `${PROGRAM}setTimeout(process.exit, 200);`);
  const options = ['-p', 'function', '-l', 'target', '-O', 'func_stack_trace'];
  const recorded = await sandbox.fentry('record', ...options, process.execPath, program);
  assert.equal(recorded.code, 0, recorded.stderr);
  const report = async (...words: string[]): Promise<string> => (await sandbox.fentry('report', ...words)).stdout;
  const plain = await report();
  assert.match(plain, /: +target(\(\d?\))?\n/);
  assert.match(plain, /^=> work\.map@4 \([\da-f]{16}\) \(once\.cjs:4\)$/m);
  assert.match(plain, /^=> work \([\da-f]{16}\) \(once\.cjs:4\)$/m);
  assert.ok(!(await report('-O', 'extras=0')).includes('once.cjs'));
  assert.match(await report('-O', 'places'), /: +target(\(\d?\))? \(once\.cjs:2\)\n/);
  assert.match(await report('--trace', '-O', 'places'), /: target(\(\d?\))? \(once\.cjs:2\) <-work\.map@4 \(once\.cjs:4\)\n/);
  assert.ok(!(await report('--trace')).includes('once.cjs'));
});
