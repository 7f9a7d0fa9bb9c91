import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { RequestsAnswer, RequestTimes } from '../../src/answers/requests/requests-answer.js';
import { listeningPorts } from '../../src/cli/attach/listening-ports.js';
import { startPlain } from '../attach/plain-program.js';
import { type Finished, finished, Sandbox, until } from './support/program.js';

/** Answers a request with its own readings of the clock: of all of it, and of each part. */
const SERVER = `
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
function grind(ms) { for (const end = performance.now() + ms; performance.now() < end; ); }
let shared;
async function napping() { await sleep(60); }
async function reading() { for (let i = 0; i < 20; i++) await readFile(import.meta.filename ?? process.argv[1]); }
async function sharing() {
  shared ??= sleep(80).then(() => { shared = undefined; });
  await shared;
}
async function handler(request, response) {
  const begin = performance.now();
  const readings = {};
  for (const part of [() => grind(30), napping, reading, sharing]) {
    const from = performance.now();
    await part();
    readings[part.name || 'grind'] = performance.now() - from;
  }
  readings.all = performance.now() - begin;
  response.end(JSON.stringify(readings));
}
const server = createServer((request, response) => void handler(request, response)).listen(0, () => console.log(server.address().port));
process.on('SIGTERM', () => process.exit());
`;

type Readings = Readonly<Record<'grind' | 'napping' | 'reading' | 'sharing' | 'all', number>>;

/** The lines of SERVER: of the functions, and of what they wait at. */
const LINES = { napping: 7, sharing: [10, 11] } as const;

/** Starts the command; `end` ends it when the requests are over, and gives what it printed. */
async function follow(sandbox: Sandbox, ...args: readonly string[]): Promise<{ end(): Promise<Finished> }> {
  const command = sandbox.spawnFentry('requests', '-d', '600', ...args);
  const output = finished(command);
  await said(command, 'follows process');
  return {
    async end() {
      command.kill('SIGINT');
      return output;
    },
  };
}

/** Waits until the command has written something to stderr. */
async function said(command: ChildProcess, what: string): Promise<void> {
  let text = '';
  command.stderr!.on('data', (chunk: string) => {
    text += chunk;
  });
  await until(() => {
    assert.equal(command.exitCode, null, text);
    return text.includes(what);
  }, what);
}

/** The time of all parts of a request. */
const partsOf = ({ threadMs, queuedMs, waits }: RequestTimes): number =>
  threadMs + queuedMs + waits.reduce((sum, { ms }) => sum + ms, 0);

/** Checks a request by the program's own readings, which lie inside of what the answer measures. */
function checkRequest(one: RequestTimes, readings: Readings): void {
  assert.ok(Math.abs(partsOf(one) - one.ms) < 1, `its parts are its time: ${partsOf(one)}, ${one.ms}`);
  assert.ok(one.ms > readings.all - 1, `${one.ms} of ${readings.all}`);
  assert.ok(one.threadMs + one.queuedMs > 28, 'it has ground for 30 ms');
  const waited = (name: string): number =>
    one.waits.filter(({ frame }) => frame?.name === name).reduce((sum, { ms }) => sum + ms, 0);
  // What still ran after the timer was set, and what ran when it was due, is no wait.
  assert.ok(waited('napping') > 30 && waited('napping') < readings.napping + 1, `${waited('napping')} of ${readings.napping}`);
  assert.equal(one.waits.find(({ frame }) => frame?.name === 'napping')!.kind, 'timer');
  assert.ok(waited('sharing') < readings.sharing + 1, `${waited('sharing')} of ${readings.sharing}`);
}

test('the parts of requests are their time, and agree with what the program measured; live', async (t) => {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start(SERVER, {}, 'server.mjs');
  const [port] = (await once(program.stdout!.setEncoding('utf8'), 'data')) as [string];
  const client = sandbox.client(program.pid);
  const following = await follow(sandbox, '--json', String(program.pid));
  const file = client.read('answers/requests_seconds/1.json');
  const ask = async (path: string): Promise<Readings> =>
    (await fetch(`http://127.0.0.1:${port.trim()}${path}`)).json() as Promise<Readings>;
  const readings = new Map<string, Readings>();
  await Promise.all(['/alone/1', '/alone/2', '/alone/3'].map(async (path) => void readings.set(path, await ask(path))));
  await new Promise((resolve) => setTimeout(resolve, 500));
  const { stdout, stderr } = await following.end();
  const answer = JSON.parse(stdout) as RequestsAnswer;
  assert.deepEqual([answer.finished, answer.open, answer.lost], [3, 0, 0], stderr);
  assert.deepEqual(
    answer.routes.map(({ route, count }) => [route, count]),
    [['GET /alone/:id', 3]],
  );
  for (const one of answer.slowest) checkRequest(one, readings.get(one.url!)!);
  const others = answer.slowest.flatMap(({ waits }) => waits.filter(({ kind }) => kind === 'request'));
  assert.ok(
    others.every(({ frame }) => frame?.name === 'sharing'),
    JSON.stringify(others),
  );
  const napping = answer.slowest[0]!.waits.find(({ frame }) => frame?.name === 'napping')!;
  assert.match(napping.frame!.place!.file, /\/server\.mjs$/);
  assert.deepEqual([napping.frame!.place!.line, napping.awaits!.line], [LINES.napping, LINES.napping]);
  const shared = answer.slowest.flatMap(({ waits }) => waits.filter(({ frame }) => frame?.name === 'sharing'));
  assert.ok(
    shared.every(({ awaits }) => LINES.sharing.some((line) => line === awaits?.line)),
    JSON.stringify(shared),
  );
  // The file has the same content; nobody knows which requests were over within its second.
  const { slowest, ...rest } = JSON.parse(await file) as RequestsAnswer;
  assert.deepEqual(Object.keys(rest), ['answer', 'version', 'pid', 'application', 'finished', 'open', 'lost', 'routes']);
  assert.ok(slowest.length <= 3);
});

const QUEUE = `
const { tracingChannel } = require('node:diagnostics_channel');
const { readFile } = require('node:fs/promises');
const jobs = tracingChannel('queue.job');
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
async function resize() {
  await sleep(25);
  await readFile(__filename);
}
async function sendMail() { await sleep(10); }
let busy = false;
process.stdin.on('data', async () => {
  for (const job of [{ id: 1, name: 'resize' }, { id: 2, name: 'mail' }, { id: 3, name: 'resize' }]) {
    await jobs.tracePromise(job.name === 'mail' ? sendMail : resize, job);
    await sleep(30);
  }
  jobs.traceSync(() => { for (const end = performance.now() + 5; performance.now() < end; ); }, { id: 4, name: 'resize' });
  console.log('done');
});
console.log('ready');
`;

for (const isPrepared of [true, false]) {
  const what = isPrepared ? 'a program with fentry' : 'a program without it, which is as before afterwards';
  test(`the jobs of a tracing channel, each with its waits, of ${what}`, async (t) => {
    const sandbox = new Sandbox(t);
    const { child, pid } = isPrepared ? await startPrepared(sandbox) : await startPlain(sandbox, QUEUE, 'program.cjs');
    const following = await follow(sandbox, '--json', '--channel', 'queue.job', String(pid));
    child.stdin!.write('go');
    await once(child.stdout!, 'data');
    const { stdout, stderr } = await following.end();
    const answer = JSON.parse(stdout) as RequestsAnswer;
    assert.deepEqual([answer.channel, answer.lost], ['queue.job', 0], stderr);
    // The last one may be over, or not: it says nothing of its end.
    const [resize, mail] = ['resize', 'mail'].map((name) => answer.routes.find(({ route }) => route === name)!);
    assert.deepEqual([resize!.count, mail!.count], [2, 1], stdout);
    for (const one of answer.slowest) {
      assert.ok(Math.abs(partsOf(one) - one.ms) < 1, `its parts are its time: ${partsOf(one)}, ${one.ms}`);
      const { name } = /^id=\d name=(?<name>\w+)$/.exec(one.message!)!.groups!;
      const timer = one.waits.find(({ kind }) => kind === 'timer')!;
      const [frame, line] = name === 'mail' ? ['sendMail', 10] : ['resize', 7];
      assert.deepEqual([timer.frame!.name, timer.awaits!.line], [frame, line]);
      assert.equal(
        one.waits.some(({ kind, awaits }) => kind === 'file' && awaits?.line === 8),
        name === 'resize',
      );
    }
    if (!isPrepared) {
      assert.match(stderr, /runs without fentry: attached to it, until this ends/);
      assert.equal(existsSync(join(sandbox.sockets, `${pid}.sock`)), false);
      assert.deepEqual(listeningPorts(pid), []);
    }
  });
}

async function startPrepared(sandbox: Sandbox): Promise<{ readonly child: ChildProcess; readonly pid: number }> {
  const child = await sandbox.start(QUEUE);
  await once(child.stdout!, 'data');
  return { child, pid: child.pid };
}

test('a recording tells the same of its requests', async (t) => {
  const sandbox = new Sandbox(t);
  const file = sandbox.file('server.mjs', SERVER);
  const events = ['http:server_request_start', 'http:server_request_end', 'sched:sched_switch', 'sched:sched_waking', 'gc:gc'];
  const fork = ['-e', 'sched:sched_process_fork', '-R', 'stacktrace if child_comm == "PROMISE"'];
  const command = sandbox.spawnFentry('record', ...events.flatMap((event) => ['-e', event]), ...fork, process.execPath, file);
  const ended = once(command, 'exit');
  const [port] = (await once(command.stdout!.setEncoding('utf8'), 'data')) as [string];
  const readings = (await (await fetch(`http://127.0.0.1:${port.trim()}/one?q=1`)).json()) as Readings;
  command.kill('SIGTERM');
  await ended;
  const { stdout, stderr } = await sandbox.fentry('requests', '--json', 'trace.dat');
  const answer = JSON.parse(stdout === '' ? stderr : stdout) as RequestsAnswer;
  assert.equal(answer.finished, 1);
  assert.equal(answer.routes[0]!.route, 'GET /one');
  checkRequest(answer.slowest[0]!, readings);
  const shared = answer.slowest[0]!.waits.find(({ frame }) => frame?.name === 'sharing')!;
  assert.deepEqual([shared.frame!.place!.line, LINES.sharing.includes(shared.awaits!.line as 10)], [LINES.sharing[0] - 1, true]);
  assert.match(
    (await sandbox.fentry('requests', 'trace.dat')).stdout,
    /^ +\d+\.\d ms {2}waiting for a timer, in napping at server\.mjs:7$/m,
  );
  // What shows the stacks says the line of the await, too.
  const frame = /napping \([^)]*\) \(server\.mjs:7\)|"napping \(server\.mjs:7\)"/;
  for (const args of [
    ['report', '-i'],
    ['dump', '--chrome'],
  ]) {
    const shown = (await sandbox.fentry(...args, 'trace.dat')).stdout;
    assert.equal(frame.test(shown), true, `no frame of napping in what ${args[0]} prints`);
  }
});
