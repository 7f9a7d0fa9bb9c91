import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { RequestsAnswer, RequestTimes } from '../../src/answers/requests/requests-answer.js';
import { finished, Sandbox, until } from './support/program.js';

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
  const command = sandbox.spawnFentry('requests', '--pid', String(program.pid), '--json', '-d', '600');
  const output = finished(command);
  await until(async () => {
    const [instance] = (await client.list('instances')).map(({ name }) => name);
    return instance !== undefined && (await client.read(`instances/${instance}/events/gc/gc/enable`)).startsWith('1');
  }, 'requests are followed');
  const ask = async (path: string): Promise<Readings> =>
    (await fetch(`http://127.0.0.1:${port.trim()}${path}`)).json() as Promise<Readings>;
  const readings = new Map<string, Readings>();
  await Promise.all(['/alone/1', '/alone/2', '/alone/3'].map(async (path) => void readings.set(path, await ask(path))));
  await new Promise((resolve) => setTimeout(resolve, 500));
  command.kill('SIGINT');
  const { stdout, stderr } = await output;
  const answer = JSON.parse(stdout) as RequestsAnswer;
  assert.deepEqual([answer.finished, answer.open, answer.lost], [3, 0, 0], stderr);
  assert.deepEqual(
    answer.routes.map(({ route, count }) => [route, count]),
    [['GET /alone/:id', 3]],
  );
  for (const one of answer.slowest) checkRequest(one, readings.get(one.url)!);
  const others = answer.slowest.flatMap(({ waits }) => waits.filter(({ kind }) => kind === 'request'));
  assert.ok(
    others.every(({ frame }) => frame?.name === 'sharing'),
    JSON.stringify(others),
  );
  const { frame } = answer.slowest[0]!.waits.find(({ frame: one }) => one?.name === 'napping')!;
  assert.match(`${frame!.place!.file}:${frame!.place!.line}`, /\/server\.mjs:7$/);
  await until(async () => (await client.list('instances')).length === 0, 'nothing is left');
});

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
  assert.match(
    (await sandbox.fentry('requests', 'trace.dat')).stdout,
    /^ +\d+\.\d ms {2}waiting for a timer, in napping server\.mjs:7$/m,
  );
});
