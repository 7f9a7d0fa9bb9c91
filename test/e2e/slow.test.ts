import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import { test } from 'node:test';
import type { SlowAnswer, SlowTurn } from '../../src/answers/slow/slow-answer.js';
import type { TraceClient } from '../../src/client/trace-client.js';
import { testFile } from '../support/program.js';
import { finished, PRELOAD, Sandbox, until } from './support/program.js';

/** The functions that hold the loop, as the benchmark has them too. */
const PLANTS = readFileSync(testFile('../bench/fixtures/plants.cjs'), 'utf8');

/** Plants the turns that its stdin names, a line each, and prints the name when one is over. */
const PLANTING = `${PLANTS}
require('node:readline').createInterface({ input: process.stdin }).on('line', (name) => {
  setTimeout(function plant() {
    Promise.resolve(plants[name](performance.now() + MS)).then(() => console.log(name));
  }, 25);
});
`;
const NAMES = [...PLANTS.matchAll(/^ {2}(?:async )?(\w+)\(end\)|^ {2}(waits)\(/gm)].map(([, one, other]) => one ?? other!);
/** How often a turn is planted anew that fentry's thread could not look at: a machine may have no core for it. */
const TRIES = 12;

/** The application's functions in a turn, the largest first. */
const functionsOf = ({ functions }: SlowTurn): readonly string[] =>
  functions.filter(({ frame }) => frame.isOwn).map(({ frame }) => frame.name);

/** A program that plants turns. */
interface Planting {
  readonly stdin: Writable;
  readonly printed: AsyncIterator<string>;
}

/** Has the program plant a turn, until the answer has the right one: with the function's name. */
async function found(
  program: Planting,
  client: TraceClient,
  name: string,
  isRight = (turn: SlowTurn): boolean => functionsOf(turn).includes(name),
): Promise<SlowTurn> {
  for (let i = 0; i < TRIES; i++) {
    program.stdin.write(`${name}\n`);
    assert.equal((await program.printed.next()).value, name);
    // A turn is known when its last sample is there.
    await new Promise((resolve) => setTimeout(resolve, 100));
    const { turns } = JSON.parse(await client.read('answers/slow.json')) as SlowAnswer;
    const turn = turns.find(isRight);
    if (turn !== undefined) return turn;
  }
  throw new Error(`no turn has ${name}: ${await client.read('answers/slow')}`);
}

test('a turn that holds the loop is found with the function that does, in whatever way', async (t) => {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start(PLANTING);
  const client = sandbox.client(program.pid);
  await client.write('answers/slow_ms', '50\n');
  assert.equal(NAMES.length, 11);
  const printed = createInterface({ input: program.stdout! })[Symbol.asyncIterator]();
  for (const name of NAMES) {
    const turn = await found({ stdin: program.stdin!, printed }, client, name);
    assert.ok(turn.ms >= 50);
    const { place } = turn.functions.find(({ frame }) => frame.name === name)!.frame;
    assert.match(place!.file, /\/program\.cjs$/);
    assert.equal(
      PLANTING.split('\n')
        [place!.line - 1]!.trim()
        .replace(/^async /, '')
        .slice(0, name.length),
      name,
    );
    if (name !== 'waits') continue;
    assert.match(turn.waits[0]!.doing, /^waits for its child process \d+ \(/);
    assert.equal(turn.synchronous[0]!.name, 'execSync');
    assert.equal(turn.synchronous[0]!.by!.name, 'waits');
    assert.deepEqual([turn.callbacks[0]!.kind, turn.callbacks[0]!.frame!.name], ['timer', 'plant']);
  }
  assert.match(await client.read('answers/slow'), /^\d+ ms at [\d:.]+, main thread: a timer, plant program\.cjs:\d+$/m);
  await client.write('answers/slow_ms', '0\n');
  assert.equal(await client.read('answers/slow_ms'), '0\n');
  await assert.rejects(client.write('answers/slow_ms', '3\n'), { errno: 'EINVAL' });
});

/** Holds its loop in functions that are given something. */
const GIVEN = `
class Cart {
  add(item, { count }) {
    for (const end = performance.now() + 400; performance.now() < end; );
    return item.id + count;
  }
}
const handle = (url, rows) => rows.map((row) => new Cart().add(row, { count: rows.length }));
setInterval(() => handle('/cart?id=7', [{ id: 1 }]), 600);
`;

test('functions of a long turn have what they were given', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(GIVEN);
  const client = sandbox.client(pid);
  await client.write('answers/slow_ms', '50\n');
  await until(
    async () =>
      /add\(item: {id: 1}, count: 1\) program\.cjs:3.*\n(?: .*\n)*.*handle\(url: "\/cart\?id=7"/.test(
        await client.read('answers/slow'),
      ),
    'arguments are shown',
  );
});

/** Collects garbage, reads a file and gets a large message of another process, each in a turn of its own. */
const OTHER_WORK = `
const { fork } = require('node:child_process');
const { readFileSync } = require('node:fs');
const rows = (n) => Array.from({ length: n }, (_, id) => ({ id, tags: ['a', 'b'] }));
if (process.argv[2] === 'child') {
  const all = rows(150_000);
  process.on('message', () => process.send(all));
} else {
  const child = fork(__filename, ['child'], { execArgv: [] });
  child.on('message', function got() {});
  process.on('disconnect', () => child.kill());
  const works = {
    keeps() { const kept = []; for (const end = performance.now() + 150; performance.now() < end; ) kept.push(rows(100)); },
    loads() { for (const end = performance.now() + 80; performance.now() < end; ) readFileSync(process.execPath); },
    asks() { child.send('rows'); },
  };
  const names = Object.keys(works);
  let turns = 0;
  setInterval(() => works[names[turns++ % names.length]](), 400);
}
`;

test('collections, synchronous I/O and messages of another process are named', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(OTHER_WORK);
  const client = sandbox.client(pid);
  await client.write('answers/slow_ms', '30\n');
  let shown = '';
  const shows = async (words: RegExp): Promise<boolean> => words.test((shown = await client.read('answers/slow')));
  try {
    await until(() => shows(/keeps program\.cjs:13.*\n(?: .*\n)* +\d+ ms in \d+ garbage collections/), 'collections');
    await until(() => shows(/ +\d+ ms readFileSync by loads program\.cjs:14/), 'synchronous reads');
    await until(() => shows(/a message of another process\n(?: .*\n)* +\d+ ms decoding messages/), 'decoding');
  } catch (error) {
    throw new Error(`${(error as Error).message}: ${shown}`);
  }
});

/** Calls a function now and then, and holds its loop after some calls. */
const CALLS_BEFORE = `
let calls = 0;
function before() { return ++calls; }
function grind() { for (const end = performance.now() + 300; performance.now() < end; ); }
setInterval(() => { if (before() % 10 === 0) grind(); }, 30);
`;

test('fentry slow --record saves the calls before a turn and in it, and leaves no instance', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(CALLS_BEFORE);
  const file = join(sandbox.folder, 'turn.dat');
  const { stdout } = await sandbox.fentry('slow', '--pid', String(pid), '--record', '-o', file, '-n', '4', '200');
  assert.match(stdout, /recorded in .*turn\.dat:/);
  const later = [...stdout.matchAll(/recorded in (.*turn-\d\.dat): the turn is from ([\d.]+) to ([\d.]+)\n/g)];
  assert.equal(later.length, 3, stdout);
  // On a busy machine a turn may be long because it waited for a core: it has no call of grind.
  const isWhole = async ([, recording, from, to]: RegExpExecArray): Promise<boolean> => {
    const lines = (await sandbox.fentry('report', '-i', recording!)).stdout.split('\n');
    const times = (name: string): number[] =>
      lines.flatMap((line) => (line.trimEnd().endsWith(` ${name}`) ? [Number(/ ([\d.]+): function:/.exec(line)![1])] : []));
    return times('before').some((time) => time < Number(from)) && times('grind').some((time) => time < Number(to));
  };
  const are = await Promise.all(later.map(isWhole));
  assert.ok(are.includes(true), stdout);
  assert.deepEqual(await sandbox.client(pid).list('instances'), []);
  const wrong = await sandbox.fentry('slow', '--pid', String(pid), '-o', file);
  assert.match(wrong.stderr, /belongs to --record/);
});

/** Parses a long text as the last act of a function, and of a callback. */
const PARSING = `
const text = JSON.stringify(Array.from({ length: 300_000 }, (_, id) => ({ id, tags: ['a', 'b'] })));
function parses() {
  return JSON.parse(text);
}
function next(rows) {
  return rows.length;
}
function middle() {
  const rows = parses();
  return next(rows);
}
function end() {
  parses();
}
require('node:readline').createInterface({ input: process.stdin }).on('line', (name) => {
  setTimeout({ middle, end }[name], 25);
  setTimeout(() => setTimeout(() => console.log(name), 25), 25);
});
`;

test('native code at the end of a function belongs to it, and not to what runs next', async (t) => {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start(PARSING);
  const client = sandbox.client(program.pid);
  await client.write('answers/slow_ms', '30\n');
  const planting = {
    stdin: program.stdin!,
    printed: createInterface({ input: program.stdout! })[Symbol.asyncIterator](),
  };
  const turn = await found(planting, client, 'middle', ({ functions }) => functions[0]?.isByText === true);
  const [largest] = turn.functions;
  assert.deepEqual(
    [largest!.frame.name, largest!.frame.place?.line, largest!.line, largest!.called?.name, largest!.isByText],
    ['parses', 3, 4, 'JSON.parse', true],
  );
  assert.equal(turn.functions.find(({ frame }) => frame.name === 'middle')!.line, 10);
  const atEnd = await found(planting, client, 'end', ({ functions }) => functions[0]?.frame.name === 'end');
  assert.equal(atEnd.functions[0]!.calledBefore, true);
});

/** A worker decodes a large message, and one of its timers takes long; both again and again. */
const WORKERS = `
const { Worker, isMainThread, parentPort } = require('node:worker_threads');
function grind() { for (const end = performance.now() + 100; performance.now() < end; ); }
if (isMainThread) {
  const worker = new Worker(__filename, { name: 'grinder' });
  const rows = Array.from({ length: 40_000 }, (_, id) => ({ id, tags: ['a', 'b'] }));
  setInterval(() => worker.postMessage(rows), 500);
} else {
  parentPort.on('message', function got() {});
  setInterval(grind, 300);
}
`;

test('fentry slow prints turns of workers as they come, and messages that take long to decode; then nothing is watched', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(WORKERS);
  const client = sandbox.client(pid);
  const command = sandbox.spawnFentry('slow', '--pid', String(pid), '25');
  let printed = '';
  command.stdout!.setEncoding('utf8').on('data', (text: string) => (printed += text));
  await until(
    () => /worker \d+ \(grinder\): a timer, grind program\.cjs:3\n(?: .*\n)* +\d+ % {2}grind program\.cjs:3/.test(printed),
    'a timer of the worker is found',
  );
  await until(() => /worker \d+.*\n(?: .*\n)* +\d+ ms decoding messages/.test(printed), 'the decoding of a message is');
  command.kill('SIGINT');
  await finished(command);
  const json = await sandbox.fentry('slow', '--pid', String(pid), '-n', '1', '--json', '40');
  assert.ok((JSON.parse(json.stdout) as SlowTurn).ms >= 40);
  assert.equal(
    (await sandbox.fentry('slow', '--pid', String(pid), '-d', '1', '100000')).stdout,
    'no turn of the event loop took more than 100000 ms in 1 s\n',
  );
  assert.deepEqual(
    (JSON.parse(await client.read('answers/slow.json')) as SlowAnswer).turns,
    [],
    'nothing is kept without slow_ms',
  );
});

/** Prints the order of callbacks of all kinds around long turns, and what it can see of itself. */
const ORDER = `
const { readFile } = require('node:fs');
const order = [];
const busy = (ms) => { for (const end = performance.now() + ms; performance.now() < end; ); };
const settle = async (n) => { for (let i = 0; i < n; i++) await null; order.push('settled'); };
setTimeout(() => {
  for (let i = 0; i < 3; i++) {
    setTimeout(() => { busy(60); order.push('timer' + i); process.nextTick(() => order.push('tick' + i)); }, 1);
    setImmediate(() => { order.push('immediate' + i); Promise.resolve().then(() => { busy(40); order.push('reaction' + i); }); });
  }
  void settle(50_000);
}, Number(process.argv[2] ?? 0));
setTimeout(() => {
  readFile(__filename, () => {
    setImmediate(() => order.push('check'));
    setTimeout(() => { try { (function deep() { deep(); })(); } catch (e) { order.push(e.constructor.name); } }, 0);
    process.nextTick(() => order.push('tick of file'));
    busy(60);
  });
}, Number(process.argv[2] ?? 0) + 700);
process.on('exit', () => {
  console.log(order.join());
  console.log(process.getActiveResourcesInfo().join(), Object.keys(Error).join(), Error.stackTraceLimit, new Error('e').stack.split('\\n')[1].replace(/.*:(\\d+:\\d+).*/, '$1'));
});
`;

test('the order of callbacks and what the program sees of itself are the same while its turns are watched', async (t) => {
  const sandbox = new Sandbox(t);
  const file = sandbox.file('order.cjs', ORDER);
  const plain = await sandbox.run([file]);
  for (const at of ['0', '400']) {
    const watched = await sandbox.run(['--import', PRELOAD, file, at], { FENTRY: 'slow_ms=20' });
    assert.deepEqual(watched, plain);
  }
});

/** A turn after the other that is too long. */
const BUSY_TURNS = `
function grinds(end) { while (performance.now() < end) adds(end, { k: 3 }); }
function adds(x, y) { return Math.sqrt(x + y.k); }
(function turn() { grinds(performance.now() + 60); console.log('turn'); setTimeout(turn, 5); })();
`;

// Without an end of its own it would wait for a thread that stays paused.
test('a busy thread goes on while its turns are watched and its stack is asked for', { timeout: 120_000 }, async (t) => {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start(BUSY_TURNS);
  let turns = 0;
  createInterface({ input: program.stdout! }).on('line', () => turns++);
  const client = sandbox.client(program.pid);
  await client.write('answers/slow_ms', '20\n');
  for (let answers = 0; answers < 20; ) answers += /grinds|adds/.test(await client.read('answers/bt')) ? 1 : 0;
  const before = turns;
  await until(() => turns > before + 3, 'the thread has had more turns');
});

/** Ends a worker in the middle of a loop again and again, and starts another. Prints how each ended. */
const ENDED_WORKERS = `
const { Worker, isMainThread } = require('node:worker_threads');
if (isMainThread) {
  const next = () => {
    const worker = new Worker(__filename).on('exit', (code) => { console.log('exit', code); next(); });
    setTimeout(() => worker.terminate(), 700);
  };
  next();
} else setTimeout(function grinds() { for (;;); }, 20);
`;

test('workers that end while turns are watched and stacks are asked for end as ever', async (t) => {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start(ENDED_WORKERS);
  const client = sandbox.client(program.pid);
  await client.write('answers/slow_ms', '20\n');
  const printed = createInterface({ input: program.stdout! })[Symbol.asyncIterator]();
  let answers = 0;
  let isOver = false;
  const asking = (async () => {
    while (!isOver) answers += /grinds/.test(await client.read('answers/bt')) ? 1 : 0;
  })();
  for (let i = 0; i < 3 || (answers === 0 && i < 30); i++) assert.equal((await printed.next()).value, 'exit 1');
  isOver = true;
  await asking;
  assert.ok(answers > 0, 'fentry bt has a worker’s stack while its turn is watched');
});
