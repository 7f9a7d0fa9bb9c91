import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finished, Sandbox, until } from '../e2e/support/program.js';
import { startPlain } from './plain-program.js';

const PROGRAM = `
const lib = { add(a, b) { return a + b; }, empty() {} };
function handle(n) { lib.empty(); return outer(n); }
function outer(n) { return lib.add(n, 1); }
async function later(n) { await null; return n; }
function thrower() { throw new Error('x'); }
function catcher() { try { thrower(); } catch { return 1; } }
function spin(n) { while (n > 0) n--; }
const timer = () => { debugger; handle(1); catcher(); later(1); spin(1); };
setInterval(timer, 20);
console.log('ready');
`;

const GRAPH = `  handle() {
    lib.empty();
    outer() {
      lib.add();
    }
  }
  catcher() {
    thrower(); /* unwound */
  }
  later(); /* suspended */
`;

/** The calls of a graph, without cpu and durations. */
const shape = (trace: string): string =>
  trace
    .split('\n')
    .flatMap((line) => /\|( {2}.*)/.exec(line)?.[1] ?? [])
    .join('\n');

test('functions that were loaded before fentry are traced by breakpoints, once they are named', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await startPlain(sandbox, PROGRAM);
  const attached = await sandbox.fentry('attach', '--timeout', '80', String(pid));
  assert.match(
    attached.stderr,
    /^fentry: 8 functions were loaded before: name them with -l, or in set_ftrace_filter, to trace them by breakpoints/,
  );
  const { stdout: available } = await sandbox.fentry('cat', 'available_filter_functions');
  assert.match(available, /^handle$/m);
  assert.doesNotMatch(available, /^spin$/m);
  const { stdout: siteless } = await sandbox.fentry('cat', 'functions_without_sites');
  assert.match(siteless, /^handle\t.*program\.cjs:3:1\tloaded before fentry: set_ftrace_filter reaches it by a breakpoint$/m);
  assert.match(siteless, /^spin\t.*\tloaded before fentry, and begins with a loop/m);

  const unnamed = await sandbox.fentry('start', '-p', 'function');
  assert.match(
    unnamed.stderr,
    /8 functions were loaded before fentry and are not traced: name them with -l, or in set_ftrace_filter/,
  );
  assert.equal(await sandbox.read('enabled_functions'), '');

  const words = ['handle', 'outer', 'lib*', 'catcher', 'thrower', 'later'];
  const started = await sandbox.fentry('start', '-p', 'function', ...words.flatMap((word) => ['-l', word]));
  assert.deepEqual([started.code, started.stderr], [0, '']);
  const trace = (): Promise<string> => sandbox.read('trace');
  const callees = [
    'handle <-timer',
    'lib.empty <-handle',
    'outer <-handle',
    'lib.add <-outer',
    'thrower <-catcher',
    'later <-timer',
  ];
  for (const call of callees) await until(async () => (await trace()).includes(`: ${call}\n`), call);
  const { stdout: enabled } = await sandbox.fentry('cat', 'enabled_functions');
  assert.match(enabled, /^handle \(1\).*\tbreakpoint$/m);

  const refused = async (...words: string[]): Promise<string> => {
    await sandbox.fentry('append', 'kprobe_events', ...words);
    return await sandbox.read('error_log');
  };
  assert.match(
    await refused('p:a handle%settled $duration'),
    /handle was loaded before fentry: the promise that it returns is not/,
  );
  assert.match(await refused('r:b later $retval'), /it was loaded before fentry, and suspends: its end is not seen/);
  assert.equal((await sandbox.fentry('append', 'kprobe_events', 'r:c handle')).code, 0);

  await sandbox.fentry('write', 'current_tracer', 'function_graph');
  await until(async () => shape(await sandbox.read('trace')).includes(GRAPH), 'the graph is there');
  const detached = await sandbox.fentry('detach', String(pid));
  assert.equal(detached.code, 0, detached.stderr);
});

const EMPTY_NAMES = `
class Base { }
class Sub extends Base { constructor(n) { const self = () => this; note(n); super(); self().n = n; } }
function note(n) { return n; }
function early() { note(1); x; let x = 1; return x; }
const outcome = (run) => { try { return run(); } catch (error) { return error.name; } };
setInterval(() => console.log(outcome(() => new Sub(3).n), outcome(early)), 10);
console.log('ready');
`;

test('a breakpoint initializes nothing: super() works, and a name that has no value yet throws', async (t) => {
  const sandbox = new Sandbox(t);
  const { child, pid } = await startPlain(sandbox, EMPTY_NAMES);
  const outcomes = new Set<string>();
  child.stdout!.on('data', (text: string) => {
    for (const line of text.split('\n')) if (line !== '' && line !== 'ready') outcomes.add(line);
  });
  await sandbox.fentry('attach', '--timeout', '80', String(pid));
  await sandbox.fentry('write', 'current_tracer', 'function_graph');
  const named = await sandbox.fentry('write', 'set_ftrace_filter', 'Sub.constructor', 'early', 'note');
  assert.equal(named.code, 0, named.stderr);
  const trace = async (): Promise<string> => shape(await sandbox.read('trace'));
  await until(async () => {
    const text = await trace();
    return text.includes('  Sub.constructor() {\n    note();\n  }') && text.includes('  early() {\n    note();\n');
  }, 'both are traced');
  assert.deepEqual([...outcomes], ['3 ReferenceError']);
});

const HOT = `
console.log('ready');
function f(n) { return n + 1; }
for (let s = 0; ; s = f(s) % 1000);
`;

test('a breakpoint that is hit too often goes, and error_log says so, and a script that has it again', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await startPlain(sandbox, HOT);
  await sandbox.fentry('attach', '--timeout', '80', String(pid));
  await sandbox.fentry('write', 'current_tracer', 'function');
  const named = await sandbox.fentry('write', 'set_ftrace_filter', 'f');
  assert.equal(named.code, 0, named.stderr);
  const log = async (): Promise<string> => sandbox.read('error_log');
  await until(async () => /too many calls for a breakpoint[^\n]*\n {2}Command: f\n/.test(await log()), 'the log says so');
  await until(async () => (await sandbox.read('enabled_functions')) === '', 'the breakpoint is gone');
  assert.match(await sandbox.read('trace'), /: f <-program\.cjs\n/);
  const script = sandbox.spawnFentry('bpftrace', '-e', 'kprobe:f { @ = count(); }');
  const ended = finished(script);
  let said = '';
  script.stderr!.on('data', (text: string) => {
    said += text;
  });
  await until(() => said.includes('\n'), 'the script says so');
  script.kill('SIGINT');
  assert.equal(said, 'WARNING: f is called too often for a breakpoint: its calls are not seen any more\n');
  assert.match((await ended).stdout, /^@: [1-9]\d*$/m);
});

test('more functions than may have breakpoints are refused together', async (t) => {
  const sandbox = new Sandbox(t);
  const many = Array.from({ length: 300 }, (_, i) => `function many${i}() { return ${i}; }`).join('\n');
  const { pid } = await startPlain(sandbox, `${many}\nsetInterval(() => {}, 1000);\nconsole.log('ready');\n`);
  await sandbox.fentry('attach', '--timeout', '80', String(pid));
  const { code, stderr } = await sandbox.fentry('write', 'set_ftrace_filter', 'many*');
  assert.equal(code, 1);
  assert.match(stderr, /300 of these functions were loaded before fentry .* at most 256 functions can have them \(ENOSPC\)/);
  const script = await sandbox.fentry('bpftrace', '-e', 'kprobe:many* { @ = count(); }');
  assert.match(
    script.stderr,
    /^ERROR: 300 of these functions were loaded before fentry .* at most 256 functions can have them\n/,
  );
  assert.equal(script.code, 1);
  assert.equal(await sandbox.read('set_ftrace_filter'), '#### all functions enabled ####\n');
});

test('a program without a file is read from V8', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await startPlain(sandbox, '', 'unused.cjs', [
    '--inspect-port=0',
    '-e',
    `function inline(n) { return n; }\nsetInterval(() => inline(1), 20);\nconsole.log('ready');\n`,
  ]);
  await sandbox.fentry('attach', '--timeout', '80', String(pid));
  await until(async () => /^inline$/m.test(await sandbox.read('available_filter_functions')), 'it is listed');
  await sandbox.fentry('write', 'current_tracer', 'function');
  await sandbox.fentry('write', 'set_ftrace_filter', 'inline');
  await until(async () => /: inline <-/.test(await sandbox.read('trace')), 'it is traced');
});
