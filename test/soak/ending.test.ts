import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { finished, REQUIRED, Sandbox } from '../e2e/support/program.js';
import { textRefusal } from '../native/native-machine.js';

/** Programs of each kind that are started. */
const ENDS = Number(process.env['SOAK_ENDS'] ?? 1);
const SEED = Number(process.env['SOAK_SEED'] ?? 1);

/** Calls functions all the time, in workers too, until there is a file; then each thread ends in one of several ways. */
const PROGRAM = `
const { Worker, isMainThread, workerData } = require('node:worker_threads');
const { existsSync } = require('node:fs');
const [how, stop, workers] = isMainThread ? process.argv.slice(2) : workerData;
function inner(n) { return JSON.parse('{"n": 7}').n + n; }
function turn(n) { return inner(n) + inner(n + 1); }
async function later() { await null; return turn(1); }
function fails() { throw new TypeError('ends'); }
if (isMainThread) for (let i = 0; i < Number(workers); i++) new Worker(__filename, { workerData: [how, stop, '0'] });
require('node:fs').promises.readFile(__filename).then(turn);
(function goOn() {
  for (let i = 0; i < 200; i++) turn(i);
  later();
  if (!existsSync(stop)) return void setTimeout(goOn, 0);
  if (how === 'exit') process.exit(3);
  if (how === 'throw') fails();
  if (how === 'reject') Promise.reject(new TypeError('ends'));
  if (how === 'kill' && isMainThread) process.kill(process.pid, 'SIGTERM');
})();
`;

interface Kind {
  readonly name: string;
  readonly options: readonly string[];
  readonly workers: number;
  readonly native: boolean;
}

const isOld = Number(process.versions.node.split('.')[0]) < 24;
const permission = isOld ? '--experimental-permission' : '--permission';
const PERMISSIONS = [permission, '--allow-worker', '--allow-fs-read=*', '--allow-fs-write=*'];
const NATIVE = [...PERMISSIONS, '--allow-addons', '--allow-child-process'];

const KINDS: readonly Kind[] = [
  { name: 'a program', options: [], workers: 0, native: false },
  { name: 'a program with workers', options: [], workers: 2, native: false },
  { name: 'a program with permissions', options: PERMISSIONS, workers: 0, native: false },
  { name: 'a program with permissions and workers', options: PERMISSIONS, workers: 2, native: false },
  { name: 'a program with its native text', options: [], workers: 0, native: true },
  { name: 'a program with its native text and workers', options: [], workers: 2, native: true },
  { name: 'a program with its native text and permissions', options: NATIVE, workers: 1, native: true },
];

const HOWS = ['return', 'exit', 'throw', 'reject', 'kill'] as const;
const CODES: Readonly<Record<(typeof HOWS)[number], readonly [number | null, NodeJS.Signals | null]>> = {
  return: [0, null],
  exit: [3, null],
  throw: [1, null],
  reject: [1, null],
  kill: [null, 'SIGTERM'],
};

/** Written one after the other until the program has ended. */
const WRITES: readonly (readonly [string, string])[] = [
  ['current_tracer', 'function'],
  ['set_ftrace_filter', 'turn inner'],
  ['current_tracer', 'function_graph'],
  ['set_ftrace_filter', ''],
  ['buffer_size_kb', '32'],
  ['current_tracer', 'nop'],
  ['trace', ''],
  ['buffer_size_kb', '64'],
];

/** Numbers from 0 up to 1 that a seed decides. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

interface End {
  readonly how: (typeof HOWS)[number];
  /** When it is told to end: so many milliseconds after its start, or after the first write. */
  readonly milliseconds: number;
  readonly isEarly: boolean;
  /** What is written first. */
  readonly first: number;
}

/**
 * A program whose files are written to from its start to its end. Returns how often that was done.
 * @param cache the folder in which the programs of a kind keep what they have found in Node's executable
 */
async function ends(t: TestContext, kind: Kind, end: End, cache: string): Promise<number> {
  const { how, milliseconds, isEarly, first } = end;
  const sandbox = new Sandbox(t);
  const program = sandbox.file('program.cjs', PROGRAM);
  const args = [...kind.options, '--require', REQUIRED, program, how, join(sandbox.folder, 'stop'), String(kind.workers)];
  const child = sandbox.spawn(args, { FENTRY_CACHE: cache, ...(kind.native && { FENTRY: 'native' }) });
  const over = finished(child);
  let isOver = false;
  void over.then(() => {
    isOver = true;
  });
  let stop = (): void => {
    stop = () => {};
    setTimeout(() => sandbox.file('stop', ''), milliseconds);
  };
  if (isEarly) stop();
  const socket = join(sandbox.sockets, `${child.pid}.sock`);
  while (!isOver && !existsSync(socket)) await new Promise((resolve) => setTimeout(resolve, 1));
  const files = sandbox.client(child.pid!);
  let writes = 0;
  for (let i = first; !isOver; i++) {
    const [file, text] = WRITES[i % WRITES.length]!;
    const written = files.write(file, text).then(
      () => writes++,
      () => {},
    );
    await Promise.race([written, over]);
    stop();
  }
  const { code, signal, stderr } = await over;
  const text = `${kind.name}: ${JSON.stringify(end)}\n${stderr}`;
  assert.deepEqual([code, signal], CODES[how], text);
  assert.doesNotMatch(stderr, /internal error|fentry:/, text);
  return writes;
}

for (const [number, kind] of KINDS.entries()) {
  const skip = kind.native ? (process.arch === 'x64' ? textRefusal() : 'machine code of this processor is not traced so') : false;
  test(`${kind.name} whose files are written to just as it ends, ends as it does without`, { skip }, async (t) => {
    const random = seeded(SEED);
    const cache = join(new Sandbox(t).folder, 'cache');
    let writes = 0;
    for (let i = 0; i < ENDS; i++) {
      const how = HOWS[(number + i) % HOWS.length]!;
      const isEarly = random() < 0.2;
      const milliseconds = Math.floor(random() * (isEarly || kind.native ? 600 : 200));
      writes += await ends(t, kind, { how, milliseconds, isEarly, first: Math.floor(random() * WRITES.length) }, cache);
    }
    t.diagnostic(`${ENDS} programs, ${writes} writes`);
    assert.ok(writes > 0, 'files were written to');
  });
}
