import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PRELOAD, Sandbox, until } from './support/program.js';

const WORKER = `
const { Worker, isMainThread, parentPort } = require('node:worker_threads');
function inMain() {}
function inWorker() {}
if (isMainThread) {
  setInterval(inMain, 5);
  const start = () => new Worker(__filename).once('message', () => {});
  start();
  process.stdin.on('data', start);
} else setInterval(inWorker, 5);
`;

test('threads that set_ftrace_pid does not list have no patches, and those that listed ones start follow', async (t) => {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start(WORKER);
  const write = async (path: string, text: string): Promise<void> =>
    assert.equal((await sandbox.fentry('write', path, text)).stderr, '');
  const cat = (path: string): Promise<string> => sandbox.read(path);
  const traces = async (text: string): Promise<boolean> => (await cat('trace')).includes(`: ${text}`);

  await until(async () => /cpu1/.test((await sandbox.fentry('ls', 'per_cpu')).stdout), 'the worker is there');
  await write('set_ftrace_pid', String(program.pid));
  await write('set_ftrace_filter', 'inMain inWorker');
  await write('current_tracer', 'function');
  await until(() => traces('inMain'), 'the main thread is traced');
  assert.equal(await traces('inWorker'), false);

  await write('options/function-fork', '1');
  program.stdin?.write('\n');
  await until(() => traces('inWorker'), 'a new worker is traced');
  const [first, second] = (await cat('set_ftrace_pid')).trim().split('\n').map(Number);
  assert.equal(first, program.pid);
  assert.match(await cat('trace'), new RegExp(`-${second} .*: inWorker`));

  await write('set_ftrace_notrace_pid', String(program.pid));
  await write('trace', '');
  await until(() => traces('inWorker'), 'the worker is still traced');
  assert.equal(await traces('inMain'), false);
});

const SERVER = `
import { AsyncResource } from 'node:async_hooks';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { currentPid } from ${JSON.stringify(PRELOAD)};
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
async function load(name) { await readFile(process.execPath.replace(/.*/, '/dev/null')); return name; }
function render(name) { return 'hello ' + name; }
async function handle(req, res) {
  const name = req.url.slice(1);
  console.log(name, currentPid());
  if (name === 'watched') await new Promise((resolve) => process.stdin.once('data', resolve));
  await sleep(5);
  res.end(render(await load(name)));
}
const server = createServer(handle).listen(0, '127.0.0.1', () => console.log('port', server.address().port));
setInterval(() => fetch('http://127.0.0.1:' + server.address().port + '/other').then((answer) => answer.text()), 10).unref();
`;

test('one request alone is traced: its async context is listed, and with function-fork what it starts', async (t) => {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start(SERVER, {}, 'server.mjs');
  let said = '';
  program.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
  });
  const write = async (path: string, text: string): Promise<void> =>
    assert.equal((await sandbox.fentry('write', path, text)).stderr, '');
  const cat = (path: string): Promise<string> => sandbox.read(path);

  await write('options/async-context', '1');
  await write('options/function-fork', '1');
  await until(() => /port \d+/.test(said), 'the server listens');
  const port = /port (\d+)/.exec(said)?.[1];
  const answer = fetch(`http://127.0.0.1:${port}/watched`, { headers: { connection: 'close' } }).then((response) =>
    response.text(),
  );
  await until(() => /watched \d+/.test(said), 'the request came');
  const pid = /watched (\d+)/.exec(said)?.[1];
  await write('set_ftrace_pid', String(pid));
  await write('set_ftrace_filter', ':mod:* handle load render');
  await write('current_tracer', 'function_graph');
  program.stdin?.write('\n');
  assert.equal(await answer, 'hello watched');
  const later = said.length;
  await until(() => /other \d+\n.*other \d+\n/.test(said.slice(later)), 'other requests were served meanwhile');
  const graph = await cat('trace');
  assert.equal(graph.match(/render\(\)/g)?.length, 1, graph);
  assert.match(graph, /PROMISE-\d+/);
  assert.match(await cat('saved_cmdlines'), /^\d+ PROMISE$/m);
  assert.equal((await cat('set_ftrace_pid')).split('\n')[0], pid);

  await write('options/async-context', '0');
  await write('set_ftrace_pid', '');
  await write('options/funcgraph-proc', '1');
  const isThread = new RegExp(`node-${program.pid}`);
  await until(async () => isThread.test(await cat('trace')), 'threads are tasks again');
});

const TRACEPOINT = JSON.stringify(new URL('../../../dist/tracepoint.cjs', import.meta.url).pathname);

/** Two contexts that order by turns, each once by itself and once by an immediate that it starts. */
const SHOPPERS = `
const { AsyncResource } = require('node:async_hooks');
const { string, traceEvent } = require(${TRACEPOINT});
const order = traceEvent('shop', 'order', {
  args: ['who'],
  fields: { who: string((who) => who) },
  print: '"who=%s", __get_str(who)',
});
const shoppers = ['ann', 'bob'].map((who) => ({ who, context: new AsyncResource('SHOPPER') }));
console.log('ids', ...shoppers.map(({ context }) => context.asyncId()));
setInterval(() => {
  for (const { who, context } of shoppers)
    context.runInAsyncScope(() => {
      order(who);
      setImmediate(() => order(who + '-later'));
    });
}, 2);
`;

test('with async-context, set_event_pid and set_event_notrace_pid choose contexts, and event-fork what these start', async (t) => {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start(SHOPPERS);
  const [ann, bob] = await new Promise<string[]>((resolve) => {
    let text = '';
    program.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const ids = /^ids (\d+) (\d+)\n/m.exec(text);
      if (ids !== null) resolve(ids.slice(1));
    });
  });
  const write = async (path: string, text: string): Promise<void> =>
    assert.equal((await sandbox.fentry('write', path, text)).stderr, '');
  const cat = (path: string): Promise<string> => sandbox.read(path);
  /** Who ordered since now, when all of these have. */
  const buyers = async (...expected: string[]): Promise<string[]> => {
    await write('trace', '');
    let seen = new Set<string>();
    await until(async () => {
      seen = new Set(Array.from((await cat('trace')).matchAll(/: order: who=(\S+)$/gm), ([, who]) => who!));
      return expected.every((who) => seen.has(who));
    }, expected.join());
    return [...seen].sort();
  };
  await until(async () => (await sandbox.fentry('ls', 'events')).stdout.includes('shop/'), 'the event is declared');
  await write('options/async-context', '1');
  await write('events/shop/order/enable', '1');
  await buyers('ann', 'ann-later', 'bob', 'bob-later');

  await write('set_event_pid', ann!);
  assert.deepEqual(await buyers('ann'), ['ann']);
  await write('options/event-fork', '1');
  assert.deepEqual(await buyers('ann', 'ann-later'), ['ann', 'ann-later']);
  assert.ok((await cat('set_event_pid')).split('\n').includes(ann!));
  await write('events/shop/order/trigger', 'hist:keys=who');
  await until(async () => /who: ann-later /.test(await cat('events/shop/order/hist')), 'the histogram counts');
  assert.doesNotMatch(await cat('events/shop/order/hist'), /who: bob/);
  await write('options/event-fork', '0');

  await write('set_event_pid', '');
  await write('set_event_notrace_pid', bob!);
  const others = await buyers('ann', 'ann-later', 'bob-later');
  assert.deepEqual(others, ['ann', 'ann-later', 'bob-later']);

  await write('options/async-context', '0');
  await write('set_event_notrace_pid', String(program.pid));
  await write('trace', '');
  await write('set_event_notrace_pid', '');
  await buyers('ann', 'ann-later', 'bob', 'bob-later');
});

const RESOURCES = `
import { AsyncResource } from 'node:async_hooks';
import { currentPid } from ${JSON.stringify(PRELOAD)};
const listed = new (class LISTED extends AsyncResource {})('LISTED');
const other = new (class OTHER extends AsyncResource {})('OTHER');
setInterval(() => {
  listed.runInAsyncScope(() => console.log('pid', currentPid()));
  other.runInAsyncScope(() => {});
}, 5);
`;

test('a switch is recorded if either of its tasks is listed, a wakeup if the task that runs or the one that is woken is', async (t) => {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start(RESOURCES, {}, 'resources.mjs');
  let said = '';
  program.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
  });
  const write = async (path: string, text: string): Promise<void> =>
    assert.equal((await sandbox.fentry('append', path, text)).stderr, '');
  const events = async (): Promise<string[]> => {
    const { stdout } = await sandbox.fentry('cat', 'trace');
    return stdout.split('\n').filter((line) => line.includes(': sched_'));
  };
  await write('options/async-context', '1');
  said = '';
  await until(() => /pid \d+\n.*pid \d+\n$/s.test(said), 'the resource runs');
  const pid = /pid (\d+)\n$/.exec(said)![1]!;
  await write('set_event_pid', pid);
  for (const event of ['sched_switch', 'sched_waking']) await write(`events/sched/${event}/enable`, '1');
  const about = [`sched_waking: comm=LISTED pid=${pid} `, ` next_pid=${pid} `, ` prev_pid=${pid} `];
  await until(async () => {
    const lines = await events();
    return about.every((text) => lines.some((line) => line.includes(text)));
  }, 'its wakeups and its switches, both ways, are recorded');
  const strangers = (await events()).filter((line) => !line.includes(`pid=${pid} `) && !line.includes(`-${pid} `));
  assert.deepEqual(strangers, []);

  await write('events/sched/enable', '0');
  await sandbox.fentry('write', 'set_event_pid', '');
  await sandbox.fentry('write', 'trace', '');
  await write('set_event_notrace_pid', pid);
  for (const event of ['sched_switch', 'sched_waking']) await write(`events/sched/${event}/enable`, '1');
  await until(async () => (await events()).some((line) => line.includes('comm=OTHER')), 'the others are recorded');
  const wakeups = (await events()).filter((line) => line.includes('sched_waking') && line.includes(`pid=${pid} `));
  assert.notEqual(wakeups.length, 0, 'one that a listed task does not cause is recorded');
});

const SUPERVISOR = `
import { createTask } from ${JSON.stringify(PRELOAD)};
function work() {}
const [first, second] = [createTask('resize', 4711001), createTask('upload', 4711002)];
setInterval(() => { first.runInAsyncScope(work); second.runInAsyncScope(() => setImmediate(work)); }, 5);
`;

test('a task with a pid of the program’s choice is traced by that pid, and what begins in it is its child', async (t) => {
  const sandbox = new Sandbox(t);
  await sandbox.start(SUPERVISOR, {}, 'supervisor.mjs');
  const write = async (path: string, text: string): Promise<void> =>
    assert.equal((await sandbox.fentry('write', path, text)).stderr, '');
  const cat = (path: string): Promise<string> => sandbox.read(path);

  await write('options/async-context', '1');
  await write('set_ftrace_pid', '4711001');
  await write('set_ftrace_filter', 'work');
  await write('current_tracer', 'function');
  await until(async () => /resize-4711001 .*: work/.test(await cat('trace')), 'the first task is traced');
  assert.doesNotMatch(await cat('trace'), /Immediate/);

  await write('options/function-fork', '1');
  await write('set_ftrace_pid', '4711002');
  await until(async () => /Immediate-\d+ .*: work/.test(await cat('trace')), 'what the second one has begun is traced');

  await write('current_tracer', 'nop');
  await write('events/sched/sched_process_fork/trigger', 'hist:keys=common_pid.execname if parent_comm == "upload"');
  await until(
    async () => /common_pid: upload +\[ +4711002\]/.test(await cat('events/sched/sched_process_fork/hist')),
    'its forks',
  );
});

test('a pid that no task can have is refused', async (t) => {
  const sandbox = new Sandbox(t);
  const script = `
    import { createTask } from ${JSON.stringify(PRELOAD)};
    for (const [comm, pid] of [['a', 0], ['a', 2 ** 26], ['a', 1.5], ['', 5], ['a', '5']])
      try { createTask(comm, pid); console.log('made'); } catch ({ errno, message }) { console.log(errno, message); }
  `;
  const { stdout } = await sandbox.run([sandbox.file('refused.mjs', script)]);
  assert.equal(
    stdout,
    ['not a pid: 0', 'not a pid: 67108864', 'not a pid: 1.5', 'a task needs a name', 'not a pid: 5']
      .map((one) => `EINVAL ${one}\n`)
      .join(''),
  );
});
