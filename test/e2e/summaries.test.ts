import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sandbox } from './support/program.js';

const PROGRAM = `
function work(n) { let sum = 0; for (let i = 0; i < n; i++) sum += i % 7; return sum; }
async function request(id) { const n = work(id); await new Promise((done) => setTimeout(done, 1)); return work(n); }
async function main() { for (let i = 0; i < 3; i++) await request(1000); }
main();
`;

/** Microseconds that the sum of two decimals may be off. */
const ROUNDING = 0.001;

interface ChromeEvent {
  readonly ph: string;
  readonly name: string;
  readonly tid: number;
  readonly ts: number;
  readonly dur: number;
  readonly args: unknown;
}

test('a recording is summed up by function, by stack, and as JSON of calls that nest', async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file('requests.cjs', PROGRAM);
  const recorded = await sandbox.fentry('record', '-l', 'main', '-l', 'request', '-l', 'work', process.execPath, program);
  assert.equal(recorded.code, 0, recorded.stderr);

  const profile = await sandbox.fentry('report', '--profile', '--sort', 'calls');
  const calls = profile.stdout
    .split('\n')
    .flatMap((line) => /% +(\d+) .* {2}(main|request|work) +requests\.cjs:[234]$/.exec(line)?.slice(1).join(' ') ?? []);
  assert.deepEqual(calls.sort(), ['1 main', '3 request', '6 work']);

  const { stdout: flames } = await sandbox.fentry('dump', '--flame-graph');
  assert.match(flames, /^requests.cjs;main \(requests.cjs:4\);request \(requests.cjs:3\);work \(requests.cjs:2\) \d+$/m);

  const { stdout: json } = await sandbox.fentry('dump', '--chrome');
  const { traceEvents } = JSON.parse(json) as { traceEvents: ChromeEvent[] };
  const works = traceEvents.filter(({ ph, name }) => ph === 'X' && name === 'work');
  const requests = traceEvents.filter(({ ph, name }) => ph === 'X' && name === 'request');
  assert.deepEqual(
    works.map(({ args }) => args),
    Array.from({ length: 6 }, () => ({ place: 'requests.cjs:2' })),
  );
  for (const work of works) {
    const around = requests.filter(({ ts, dur }) => ts <= work.ts && work.ts + work.dur <= ts + dur + ROUNDING);
    assert.equal(around.length, 1, `${JSON.stringify(work)} in ${JSON.stringify(requests)}`);
  }
});

test('the application’s own functions are shown, and the others are one line', async (t) => {
  const sandbox = new Sandbox(t);
  sandbox.file('node_modules/tsx/package.json', '{ "name": "tsx" }');
  sandbox.file('node_modules/tsx/index.js', 'exports.run = function run(f) { f(); f(); };');
  const program = sandbox.file('own.cjs', `const { run } = require('tsx');\nfunction own() {}\nrun(own);\n`);
  const recorded = await sandbox.fentry('record', '-p', 'function_graph', process.execPath, program);
  assert.equal(recorded.code, 0, recorded.stderr);
  const names = (text: string): string[] =>
    text.split('\n').flatMap((line) => / {2}((?:own|run) .*)$/.exec(line)?.[1]?.replace(/ {2,}/, ' ') ?? []);
  const { stdout: shown } = await sandbox.fentry('report', '--profile');
  assert.deepEqual(names(shown), ['own own.cjs:2']);
  assert.match(shown, /^ {2}tsx: 2 functions, (\d+|less than 1) % of the time; --all shows them$/m);
  const { stdout: all } = await sandbox.fentry('report', '--profile', '--all', '--sort', 'calls');
  assert.deepEqual(names(all), ['own own.cjs:2', 'run [tsx] node_modules/tsx/index.js:1']);
  const { functions } = JSON.parse((await sandbox.fentry('report', '--profile', '--json')).stdout);
  assert.deepEqual(functions.find(({ name }: { name: string }) => name === 'run').place, {
    file: `${sandbox.folder}/node_modules/tsx/index.js`,
    line: 1,
    column: 15,
  });
});

test('a dump without a format, an order without a profile and two recordings are refused with what is right', async (t) => {
  const sandbox = new Sandbox(t);
  assert.match((await sandbox.fentry('dump')).stderr, /choose what to print: --perfetto, .*--flame-graph.* or --/);
  assert.match((await sandbox.fentry('report', '--sort', 'self')).stderr, /--sort belongs to --profile/);
  assert.match(
    (await sandbox.fentry('report', '--profile', '--sort', 'x')).stderr,
    /must be one of total, self, calls, average, p50, p99, name/,
  );
  const { code, stderr } = await sandbox.fentry('report', '-i', 'a.dat', 'b.dat');
  assert.equal(code, 2);
  assert.match(stderr, /one recording at a time: a\.dat, b\.dat/);
});
