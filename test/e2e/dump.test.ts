import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Finished, PRELOAD, Sandbox, until } from './support/program.js';

const FAILING = `
function prepare(n) { return n + 1; }
function fail(n) { throw new Error('broken ' + n); }
prepare(1);
setTimeout(() => fail(prepare(2)), 10);
`;

const DUMP = /^Dumping ftrace buffer:\n-{33}\n((?:.*\n)*?)-{33}\n/m;
const TRACE = 'ftrace=function ftrace_filter=prepare,fail';

function run(t: TestContext, source: string, FENTRY: string): Promise<Finished> {
  const sandbox = new Sandbox(t);
  return sandbox.run(['--import', PRELOAD, sandbox.file('program.cjs', source)], { FENTRY });
}

const functionsOf = (dump: string): string[] => [...dump.matchAll(/: (\w+) <-/g)].map(([, name]) => name!);

test('an uncaught error dumps what ran before it, and ends the program as ever', async (t) => {
  const plain = await run(t, FAILING, '');
  const { code, stdout, stderr } = await run(t, FAILING, `${TRACE} ftrace_dump_on_oops`);
  const [all = '', lines = ''] = DUMP.exec(stderr) ?? [];
  assert.deepEqual(functionsOf(lines), ['prepare', 'prepare', 'fail']);
  assert.match(lines, /^ {4}node-\d+ +\d+\.{5} +\d+us.: prepare <-/m);
  const place = /\/\S*program\.cjs/g;
  assert.deepEqual(
    { code, stdout, stderr: stderr.replace(all, '').replace(place, 'FILE') },
    { code: plain.code, stdout: plain.stdout, stderr: plain.stderr.replace(place, 'FILE') },
  );
});

test('so does an unhandled rejection', async (t) => {
  const { code, stderr } = await run(t, FAILING.replace('() =>', 'async () =>'), `${TRACE} ftrace_dump_on_oops=orig_cpu`);
  assert.equal(code, 1);
  assert.deepEqual(functionsOf(DUMP.exec(stderr)?.[1] ?? ''), ['prepare', 'prepare', 'fail']);
});

test('so does process.abort()', async (t) => {
  const source = 'function last() { process.abort(); }\nfunction prepare() {}\nprepare(); last();';
  const { signal, stderr } = await run(t, source, 'ftrace=function ftrace_filter=prepare,last ftrace_dump_on_oops');
  assert.equal(signal, 'SIGABRT');
  assert.deepEqual(functionsOf(DUMP.exec(stderr)?.[1] ?? ''), ['prepare', 'last']);
});

test('a dump can go to a file', async (t) => {
  const sandbox = new Sandbox(t);
  const url = pathToFileURL(join(sandbox.folder, 'black box.txt'));
  const program = sandbox.file('program.cjs', FAILING);
  const { stderr } = await sandbox.run(['--import', PRELOAD, program], { FENTRY: `${TRACE} ftrace_dump_on_oops=${url.href}` });
  assert.doesNotMatch(stderr, /Dumping/);
  assert.deepEqual(functionsOf(DUMP.exec(readFileSync(join(sandbox.folder, 'black box.txt'), 'utf8'))?.[1] ?? ''), [
    'prepare',
    'prepare',
    'fail',
  ]);
});

test('no dump when the program handles its error, ends well, or a dump was not asked for', async (t) => {
  const handled = `process.on('uncaughtException', () => {});${FAILING}`;
  for (const [source, parameters] of [
    [handled, 'ftrace_dump_on_oops'],
    [FAILING.replace('() => fail', '() => String'), 'ftrace_dump_on_oops'],
    [FAILING, ''],
  ] as const) {
    assert.doesNotMatch((await run(t, source, `${TRACE} ${parameters}`)).stderr, /Dumping/);
  }
});

test('a warning turns tracing off, and the trace says so', async (t) => {
  const sandbox = new Sandbox(t);
  const source = `function beat() {}\nprocess.emitWarning('odd');\nsetInterval(beat, 5);`;
  await sandbox.start(source, { FENTRY: 'ftrace=function ftrace_filter=beat traceoff_on_warning' });
  await until(async () => (await sandbox.read('tracing_on')) === '0\n', 'it is off');
  assert.match(await sandbox.read('trace'), /Disabling tracing due to warning/);
});

test('instances are there from the start', async (t) => {
  const sandbox = new Sandbox(t);
  await sandbox.start('setInterval(() => {}, 1000)', { FENTRY: 'trace_instance=one trace_instance=two' });
  assert.equal((await sandbox.fentry('ls', 'instances')).stdout.match(/one|two/g)?.length, 2);
  assert.equal(existsSync(join(sandbox.folder, 'one')), false);
});
