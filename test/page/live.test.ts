import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { type TestContext, test } from 'node:test';
import { MAGIC } from '../../src/timeline/columns-format.js';
import { Sandbox, type Started, until } from '../e2e/support/program.js';
import { LiveAccess, openUi } from './live-access.js';

/** A program that calls functions with hostile names again and again, and waits in between. */
const PROGRAM = `
const { Worker } = require('node:worker_threads');
function compute(n) {
  const twice = n * 2;
  return twice;
}
const hostile = { ['<img/src=x/onerror=window.hit=1>'](n) { return compute(n); } };
class Shop {
  answer(n) {
    const value = compute(n);
    return value + 1;
  }
}
const shop = new Shop();
setInterval(() => { shop.answer(7); hostile['<img/src=x/onerror=window.hit=1>'](1); }, 20);
for (let i = 0; i < WORKERS; i++)
  new Worker('setInterval(() => {}, 1000)', { eval: true });
process.on('SIGUSR2', () => { for (;;) compute(1); });
`;

async function running(t: TestContext, options: readonly string[] = [], workers = 0) {
  const sandbox = new Sandbox(t);
  const program = await sandbox.startRequired(`const WORKERS = ${workers};${PROGRAM}`);
  const { link, server } = await openUi(sandbox, '--pid', String(program.pid), ...options);
  return { sandbox, program, server, live: new LiveAccess(link, program.pid) };
}

test('what the page writes is listed as changes, refusals have the words of the file, and all is put back', async (t) => {
  const { sandbox, program, live } = await running(t);
  assert.deepEqual(await live.json('/live/ui'), { isReadOnly: false, pid: program.pid });
  const listed = (await live.json('/live/processes')) as { pid: number; isPrepared: boolean }[];
  assert.equal(listed.find(({ pid }) => pid === program.pid)?.isPrepared, true);
  const bt = JSON.parse((await live.file('answers/bt.json')).text) as { threads: unknown[] };
  assert.equal(bt.threads.length, 1);

  assert.deepEqual(await live.write('set_ftrace_filter', 'nosuch'), {
    status: 400,
    text: 'no function matches nosuch (EINVAL)\n',
  });
  assert.deepEqual(await live.write('events/sched/sched_switch/filter', 'foo == 1'), {
    status: 400,
    text: 'event filter parse error: Field not found (EINVAL)\nfoo == 1\n    ^\n',
  });
  for (const [path, text] of [
    ['set_ftrace_filter', 'Shop.answer'],
    ['current_tracer', 'function'],
    ['events/gc/enable', '1'],
    ['events/sched/sched_switch/trigger', 'hist:keys=next_comm'],
  ] as const)
    assert.equal((await live.write(path, text)).status, 200, path);
  const client = sandbox.client(program.pid);
  assert.equal(await client.read('set_ftrace_filter'), 'Shop.answer\n');
  const changes = (await live.json('/live/changes')) as { what: string; before: string; now: string }[];
  assert.deepEqual(changes.slice(0, 2), [
    { what: 'set_ftrace_filter', before: '', now: 'Shop.answer' },
    { what: 'current_tracer', before: 'nop', now: 'function' },
  ]);
  assert.ok(changes.some(({ what, now }) => /^events\/gc\/\w+\/enable$/.test(what) && now === '1'));
  assert.deepEqual(
    ((await live.json('/live/histograms')) as { event: string }[]).map(({ event }) => event),
    ['sched:sched_switch'],
  );
  assert.match((await live.file('events/sched/sched_switch/hist')).text, /^\{ next_comm: .*hitcount:/m);

  // Two pages read one pipe, and a write of the tracer closes it meanwhile.
  const [one, other] = [live.lines('/live/follow', { path: 'trace_pipe' }), live.lines('/live/follow', { path: 'trace_pipe' })];
  await Promise.all([one.until(/Shop\.answer/), other.until(/Shop\.answer/)]);
  assert.equal((await live.write('current_tracer', 'nop')).status, 200);
  assert.equal((await live.write('current_tracer', 'function')).status, 200);
  one.clear();
  await one.until(/Shop\.answer/);
  one.close();
  other.close();

  // What is as it was is no change.
  assert.equal((await live.write('tracing_on', '0')).status, 200);
  assert.doesNotMatch((await live.write('tracing_on', '1')).text, /tracing_on/);

  const back = await live.post('/live/put-back', {});
  assert.deepEqual(back, { status: 200, text: '[]' });
  assert.equal(await client.read('current_tracer'), 'nop\n');
  assert.equal(await client.read('set_ftrace_filter'), '#### all functions enabled ####\n');
  assert.equal(await client.read('set_event'), '');
  assert.doesNotMatch(await client.read('events/sched/sched_switch/trigger'), /^hist/m);
});

test('a click on a line puts a probe there, its hits come, and closing the page leaves the probe but nothing else', async (t) => {
  const { sandbox, program, live, server } = await running(t);
  const file = `${sandbox.folder}/program.cjs`;
  const { text: lines } = await live.file(`kprobes/lines/${file.replaceAll('/', '!')}`);
  assert.match(lines, /^ {5}10 {4}\s*const value = compute\(n\);$/m);
  const added = await live.post('/live/probe', { definition: `${file}:11 $vars` });
  assert.deepEqual(added, { status: 200, text: '{"name":"probe:Shop_answer_L11"}' });
  const hits = live.lines('/live/hits', {}, 'POST');
  await hits.until(/Shop_answer_L11: \(Shop\.answer\+\w+\/\w+\) n=7 value=14/);
  // One that is added while hits are shown, outside of functions, and whose place is refused.
  assert.equal((await live.post('/live/probe', { definition: `${file}:4` })).status, 200);
  await hits.until(/compute_L4: /);
  assert.equal((await live.post('/live/probe', { definition: `${file}:14 $vars` })).status, 200);
  const refused = await live.post('/live/probe', { definition: `${file}:13` });
  assert.equal(refused.status, 400, refused.text);
  assert.match(refused.text, /\(E\w+\)/);
  assert.equal((await live.post('/live/remove-probe', { event: 'probe:compute_L4' })).status, 200);
  const client = sandbox.client(program.pid);
  assert.equal((await client.list('instances')).length, 1);
  hits.close();
  await until(async () => (await client.list('instances')).length === 0, 'the instance is removed');
  assert.match(await client.read('dynamic_events'), /Shop_answer_L11/);

  const rows = live.lines('/live/top', { order: 'calls', isOwnOnly: true }, 'POST');
  await rows.until(/"name":"Shop\.answer"/);
  assert.equal(await client.read('function_profile_enabled'), '1\n');
  rows.close();
  await until(async () => (await client.read('function_profile_enabled')) === '0\n', 'the profiler is off');
  assert.equal((await live.post('/live/put-back', {})).text, '[]');
  assert.equal(await client.read('dynamic_events'), '');

  // Whoever watches is killed.
  assert.equal((await live.post('/live/probe', { definition: `${file}:11` })).status, 200);
  const both = [live.lines('/live/hits', {}, 'POST'), live.lines('/live/top', { order: 'time', isOwnOnly: true }, 'POST')];
  await both[0]!.until(/Shop_answer_L11: /);
  await both[1]!.until(/"name":"Shop\.answer"/);
  server.kill('SIGKILL');
  await until(async () => (await client.list('instances')).length === 0, 'the instance is removed');
  await until(async () => (await client.read('function_profile_enabled')) === '0\n', 'the profiler is off');
  assert.equal(await client.read('set_ftrace_filter'), '#### all functions enabled ####\n');
  assert.match(await client.read('dynamic_events'), /Shop_answer_L11/);
  for (const one of both) await one.ended.catch(() => {});
});

test('a recording of some seconds opens as fentry open shows it, and leaves the settings as they were', async (t) => {
  const { sandbox, program, live } = await running(t);
  const client = sandbox.client(program.pid);
  // A view that was just left does not hold the tracer.
  const rows = live.lines('/live/top', { order: 'time', isOwnOnly: true }, 'POST');
  await rows.until(/"name":"Shop\.answer"/);
  rows.close();
  const made = await live.post('/live/record', { seconds: 1, isOwnOnly: true });
  assert.equal(made.status, 200, made.text);
  const { id, events } = JSON.parse(made.text) as { id: number; events: number };
  assert.ok(events > 0);
  const columns = await live.get(`/recording?id=${id}`);
  assert.ok(columns.text.startsWith(MAGIC), columns.text.slice(0, 20));
  assert.match(columns.text, /Shop\.answer/);
  assert.equal((await live.get(`/source?id=${id}&file=/etc/passwd`)).status, 403);
  assert.equal((await live.get('/recording?id=99')).status, 404);
  for (const [path, text] of [
    ['current_tracer', 'nop\n'],
    ['tracing_on', '1\n'],
    ['set_ftrace_filter', '#### all functions enabled ####\n'],
  ] as const)
    assert.equal(await client.read(path), text, path);
  assert.equal((await live.post('/live/record', { seconds: 1e9, isOwnOnly: true })).status, 400);
});

test('what the tables do not list, what comes from elsewhere, and each write with --read-only is refused', async (t) => {
  const { sandbox, program, live } = await running(t, ['--read-only']);
  const { status, text } = await live.write('tracing_on', '0');
  assert.deepEqual([status, text], [403, 'this page only reads: fentry ui was started with --read-only\n']);
  for (const path of ['put-back', 'probe', 'remove-probe', 'hits', 'top', 'record', 'ask', 'attach'])
    assert.equal((await live.post(`/live/${path}`, {})).status, 403, path);
  assert.equal((await live.get(`/live/follow?pid=${program.pid}&path=trace_pipe`)).status, 403);
  assert.equal((await live.file('current_tracer')).status, 200);

  const writer = new LiveAccess((await openUi(sandbox)).link, program.pid);
  for (const path of [
    '/etc/passwd',
    '../../etc/passwd',
    'kprobes/lines/..',
    'events/../tracing_on/x',
    'livepatch/enabled',
    'README',
    '',
  ])
    assert.equal((await writer.file(path)).status, 403, path);
  for (const [path, words] of [
    ['livepatch/x', '1'],
    ['trace_marker', 'x'],
    ['events/gc/../enable', '1'],
    ['tracing_on', '2'],
    ['tracing_on', '1\n0'],
    ['events/sched/sched_switch/trigger', 'traceoff'],
  ] as const)
    assert.equal((await writer.write(path, words)).status, 403, path);
  assert.equal((await writer.get('/live/file?path=tracing_on')).status, 400, 'no pid');
  assert.equal((await writer.get('/live/file?pid=999999999&path=tracing_on')).status, 410);
  assert.equal((await writer.get('/live/write')).status, 404);

  const body = JSON.stringify({ pid: program.pid, path: 'tracing_on', text: '0' });
  const { hostname, port } = new URL(writer.origin);
  const base = { 'x-fentry-token': writer.token, 'content-type': 'application/json', host: `${hostname}:${port}` };
  for (const headers of [
    { ...base, 'x-fentry-token': '' },
    { ...base, 'x-fentry-token': `${writer.token}x` },
    { ...base, host: `localhost:${port}` },
    { ...base, origin: 'http://evil.example' },
    { ...base, 'sec-fetch-site': 'cross-site' },
    { ...base, 'content-type': 'text/plain' },
  ]) {
    const sent = request({ host: hostname, port, path: '/live/write', method: 'POST', headers });
    sent.end(body);
    const [answer] = await once(sent, 'response');
    assert.equal(answer.statusCode, 403, JSON.stringify(headers));
    answer.resume();
  }
  const long = await writer.post('/live/write', { path: 'tracing_on', text: '0'.repeat(1 << 17) });
  assert.equal(long.status, 400);
  assert.equal(await sandbox.client(program.pid).read('tracing_on'), '1\n');
});

test('20 workers, a busy loop, a process that is stopped, and one that is killed', async (t) => {
  const { program, live } = await running(t, [], 20);
  const threads = async () => (JSON.parse((await live.file('answers/bt.json')).text) as { threads: { state: string }[] }).threads;
  await until(async () => (await threads()).length === 21, 'all workers answer');
  const turns = live.lines('/live/follow', { path: 'answers/slow_pipes/10' });
  await busy(program);
  await until(async () => (await threads())[0]?.state === 'running', 'it is busy');

  process.kill(program.pid, 'SIGSTOP');
  const asked = await live.file('answers/bt.json');
  assert.equal(asked.status, 503, asked.text);
  assert.match(asked.text, /is stopped.*it cannot answer \(EAGAIN\)/);
  process.kill(program.pid, 'SIGCONT');
  assert.equal((await live.file('tracing_on')).status, 200);

  process.kill(program.pid, 'SIGKILL');
  await turns.ended;
  await until(async () => (await live.file('answers/bt.json')).status === 410, 'it has ended');
  assert.equal((await live.get(`/live/load?pid=${program.pid}`)).status, 410);
  assert.equal((await live.post('/live/write', { path: 'tracing_on', text: '0' })).status, 410);
  assert.equal((await live.get('/live/ui')).status, 200);
});

test('a process without fentry is asked, and fentry is loaded into it and leaves it again', async (t) => {
  const sandbox = new Sandbox(t);
  const child = sandbox.spawn([sandbox.file('plain.cjs', `const WORKERS = 0;${PROGRAM}`)]);
  await once(child, 'spawn');
  const pid = child.pid!;
  const live = new LiveAccess((await openUi(sandbox, '--pid', 'plain.cjs')).link, pid);
  assert.deepEqual(await live.json('/live/ui'), { isReadOnly: false, pid });
  const listed = (await live.json('/live/processes')) as { pid: number; isPrepared: boolean; program: string }[];
  assert.deepEqual(
    listed.filter((one) => one.pid === pid).map(({ isPrepared, program }) => [isPrepared, program]),
    [[false, 'plain.cjs']],
  );
  const asked = await live.post('/live/ask', { answer: 'bt' });
  assert.equal(asked.status, 200, asked.text);
  assert.equal((JSON.parse(asked.text) as { answer: string }).answer, 'bt');
  assert.equal((await live.post('/live/ask', { answer: 'constructor' })).status, 400);
  const attached = await live.post('/live/attach', {});
  assert.equal(attached.status, 200, attached.text);
  assert.equal((await live.file('tracing_on')).status, 200);
  assert.equal((await live.post('/live/put-back', {})).status, 200);
  await until(async () => (await live.file('tracing_on')).status === 410, 'fentry has left it');
});

/** Has the program run an endless loop. */
async function busy(program: Started): Promise<void> {
  program.stdin?.end();
  process.kill(program.pid, 'SIGUSR2');
}
